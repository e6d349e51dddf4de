import Verbs

Bench360.main()
