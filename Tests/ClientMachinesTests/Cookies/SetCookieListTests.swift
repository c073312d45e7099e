import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.C9
@Suite struct SetCookieListTests {
    @Test(arguments: [
        ("a=1", ["a=1"]), ("a=1, b=2", ["a=1", "b=2"]), ("a=1,b=2,c=3", ["a=1", "b=2", "c=3"]), ("", [""]),
        (
            "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT, b=2; expires=Thursday, 01-Jan-70 00:00:00 GMT",
            ["a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "b=2; expires=Thursday, 01-Jan-70 00:00:00 GMT"]
        ),
        ("a=1, 2, b =3", ["a=1, 2", "b =3"]), ("a=1,", ["a=1,"]), ("a=1,,b=2", ["a=1,", "b=2"]),
        ("a=1, =2", ["a=1, =2"]),
        ("a=1, ;b=2", ["a=1, ;b=2"]), ("a=1, b;c=2", ["a=1, b;c=2"]),
    ])
    func `a comma divides two cookies if a name and an equals sign follow`(joined: String, lines: [Substring]) {
        #expect(SetCookieList.lines(of: joined) == lines)
    }
}
