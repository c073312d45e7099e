extension RandomAccessCollection where Element: Comparable, Index == Int {
    /// Where `element` stands in this sorted collection, or belongs if it is not there.
    @inlinable
    func sortedPosition(of element: Element) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
