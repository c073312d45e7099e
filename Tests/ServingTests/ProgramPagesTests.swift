import Testing

@testable import Serving

@Suite struct ProgramPagesTests {
    @Test func `pages of files that are only read are given back, and can be read again`() {
        #expect(ProgramPages.giveBack() > 1 << 20)
        #expect(ProgramPages.giveBack() > 1 << 20)
    }

    @Test(
        arguments: [
            ("7f00-7f10 r-xp 00001000 08:01 17 /usr/lib/a.so\n", 0x7f00..<0x7f10),
            ("7f00-7f10 r--p 00001000 08:01 17 /usr/lib/a b.so\n", 0x7f00..<0x7f10),
            ("7f00-7f10 rw-p 00001000 08:01 17 /usr/lib/a.so\n", nil),
            ("7f00-7f10 r--s 00001000 08:01 17 /tmp/shared\n", nil), ("7f00-7f10 ---p 00001000 08:01 17 /a\n", nil),
            ("7f00-7f10 r-xp 00000000 00:00 0 [vdso]\n", nil), ("7f00-7f10 r--p 00000000 00:00 0 \n", nil),
            ("7f10-7f00 r-xp 00001000 08:01 17 /a\n", nil), ("Rss: 4 kB\n", nil), ("", nil),
        ] as [(String, Range<UInt>?)])
    func `a line of a mapping`(line: String, range: Range<UInt>?) {
        #expect(ProgramPages.mapping(line) == range)
    }
}
