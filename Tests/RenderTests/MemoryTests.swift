import GPU
import Testing

/// Accounting of device memory.
@Suite struct MemoryTests {
  private static let heaps = [
    MemoryBudget.Heap(isDeviceLocal: true, budget: 100, used: 30),
    MemoryBudget.Heap(isDeviceLocal: false, budget: 900, used: 800),
    MemoryBudget.Heap(isDeviceLocal: true, budget: 20, used: 20),
  ]

  @Test func onlyDeviceLocalHeapsCount() {
    #expect(MemoryBudget(heaps: Self.heaps).usedLocally == 50 && MemoryBudget(heaps: []).usedLocally == 0)
  }

  /// A full heap is within its budget; one byte more in any heap is not.
  @Test func anyHeapCanBeOverItsBudget() {
    #expect(!MemoryBudget(heaps: Self.heaps).isExceeded && !MemoryBudget(heaps: []).isExceeded)
    for index in Self.heaps.indices {
      var heaps = Self.heaps
      heaps[index] = MemoryBudget.Heap(isDeviceLocal: index != 1, budget: 20, used: 21)
      #expect(MemoryBudget(heaps: heaps).isExceeded)
    }
  }

  @Test func aBudgetHasRoomUpToItsEnd() {
    let budget = MemoryBudget(heaps: Self.heaps)
    #expect(budget.hasRoom(for: 70, inHeap: 0) && !budget.hasRoom(for: 71, inHeap: 0))
    #expect(
      budget.hasRoom(for: 0, inHeap: 2) && !budget.hasRoom(for: 1, inHeap: 2) && budget.hasRoom(for: 1, inHeap: 3))
  }

  @Test func amountsAreRoundedUp() {
    #expect(memoryText(1) == "1 KiB" && memoryText(1024) == "1 KiB" && memoryText(1025) == "2 KiB")
    #expect(memoryText(1 << 20) == "1 MiB" && memoryText((1 << 20) + 1) == "2 MiB" && memoryText(0) == "0 KiB")
  }

  @Test func peakIsTheLargestAmount() {
    var tally = MemoryTally()
    #expect(tally.peak == nil)
    tally.took(10, told: nil)
    tally.took(20, told: nil)
    tally.gaveBack(25)
    #expect(tally.peak == 30)
    tally.took(24, told: nil)
    #expect(tally.peak == 30, "29 are held")
    tally.took(2, told: nil)
    #expect(tally.peak == 31)
  }

  /// The driver's numbers are used: they include its own allocations and drop freed ones.
  @Test func driverReportsTakePrecedence() {
    var tally = MemoryTally()
    tally.took(10, told: 70)
    #expect(tally.peak == 70)
    tally.took(100, told: 65)
    #expect(tally.peak == 70)
  }
}
