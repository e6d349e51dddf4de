import ArgumentParser
import Decode
import Media

/// How clips are fetched: shared by every verb that takes URLs.
struct NetworkArguments: ParsableArguments {
  @Flag(help: "Do not verify the certificates of HTTPS servers. (default: by the system's store, or $SSL_CERT_FILE)")
  var insecure = false

  var options: NetworkOptions {
    var options = NetworkOptions()
    options.verifiesCertificates = !insecure
    return options
  }
}
