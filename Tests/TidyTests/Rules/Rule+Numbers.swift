/// Numbers that a peer or a user controls: they come out of text or bytes in few places, and have a type without `+`,
/// `-` and `*` from there on (`DeclaredLength`), so that the compiler finds arithmetic that could trap. In few places
/// they become plain numbers again.
extension Rule {
    /// How many such places a file may have. One more is a decision: the number has to be bounded right there.
    private static let numberPlaces: [String: Int] = [
        // The readers of digits.
        "Sources/HTTPBasics/ASCII.swift": 4,
        "Sources/HTTPBasics/DecimalNumber.swift": 3,
        "Sources/HTTPBasics/DeclaredLength.swift": 1,
        // Sixteen digits of a file's name, which nobody adds.
        "Sources/CacheFiles/EntryName.swift": 2,
        // Of a fixed number of digits, or a small range.
        "Sources/HTTPBasics/HTTPDate.swift": 2,
        "Sources/HTTPBasics/URLReference+Parsing.swift": 1,
        "Sources/ClientMachines/Proxy/IPNetwork.swift": 4,
        "Sources/SessionNetworking/Configuration/ProxyDictionary.swift": 1,
        "Sources/ClientMachines/Wire/StatusLine.swift": 4,
        "Sources/ClientMachines/Cookies/CookieDate.swift": 3,
        // Seconds that are added as floating-point numbers; ports and versions that nobody adds.
        "Sources/ClientMachines/Cookies/SetCookie.swift": 1,
        "Sources/ClientMachines/Cookies/CookieFileText.swift": 2,
        "Sources/SessionNetworking/Values/CookieProperties.swift": 3,
        "Sources/SessionNetworking/Values/ContentDisposition.swift": 1,
        // Places and lengths in a message of at most 8 KiB, compared with what there is before anything is added.
        "Sources/ClientMachines/Authentication/NTLMMessages.swift": 3,
        // Counts of what is read next, and ends with the bytes.
        "Sources/SessionNetworking/Storage/KeptHead.swift": 1,
        // A duration, whose 128 bits hold any sum of two.
        "Sources/HTTPBasics/Instant.swift": 1,
        // Flags and metrics of the kernel's: compared, never added.
        "Sources/ClientEngine/RouteTable.swift": 3,
        // The judge's own readers, which report overflow or compare at once.
        "Sources/ServerScript/Bends/NumberEdge.swift": 1,
        "Sources/ServerScript/Matching/NTLMVerification.swift": 1,
        // The place in a list, looked for among its places; an exponent of nine digits.
        "Sources/ServerScript/Documents/JSONValue.swift": 3,
        // The author's: compared with a bound of 1,000 before it is used.
        "Sources/ServerScript/Patterns/PatternReader.swift": 1,
        "Sources/ServerScript/Proxies/ProxiedHosts.swift": 1,
        "Sources/ServerScript/Replies/RangeReply.swift": 1,
        "Sources/ServerScript/Requests/RequestLine.swift": 6,
        "Sources/ServerScript/Words/Quantities.swift": 1,
        "Sources/ServerScript/Requests/RequestRules.swift": 1,
        // Each with its bounds, or compared at once.
        "Sources/Cookbook/CookbookNumber.swift": 4,
        "Sources/Cookbook/RecipeCall.swift": 1,
        "Sources/Cookbook/Recipes/Recipe+SigningIn.swift": 2,
        // Foundation's interfaces want plain numbers.
        "Sources/SessionNetworking/Tasks/DeclaredLength+TransferSize.swift": 1,
        "Sources/SessionNetworking/Tasks/URLSessionTask.swift": 3,
        "Sources/SessionNetworking/Delegates/DelegateDispatcher+Telling.swift": 3,
        "Sources/SessionNetworking/Values/HTTPURLResponse.swift": 1,
        "Sources/SessionNetworking/Values/ResponseSource.swift": 1,
    ]

    static let foreignNumbers = Rule(name: "foreign-numbers") { tree in
        tree.files.filter { $0.isSource && libraryModules.contains($0.module) }.flatMap { file -> [Finding] in
            let allowed = numberPlaces[file.path] ?? 0
            let places = numberPlaces(in: file.tokens.code)
            if places.count < allowed {
                let message = "there are \(places.count) places with foreign numbers: lower the \(allowed) of the list"
                return [Finding(path: file.path, line: 1, message: message)]
            }
            return places.dropFirst(allowed).map { index in
                Finding(
                    path: file.path, line: file.tokens.code[index].line,
                    message: "a number of a peer's or a user's: let it be a DeclaredLength, which has no arithmetic")
            }
        }
    }

    private static let integers: Set = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]

    /// Labels of conversions that read no text.
    private static let betweenNumbers: Set = ["ascii", "exactly", "clamping", "truncatingIfNeeded", "bitPattern"]

    /// Where text or digits become numbers, and where a `DeclaredLength` becomes a plain one.
    private static func numberPlaces(in code: [SwiftTokens.Piece]) -> [Int] {
        func word(_ index: Int) -> String { code.indices.contains(index) ? code[index].text : "" }
        return code.indices.filter { index in
            switch word(index) {
            case "DecimalNumber": return word(index + 1) == "." && word(index + 2) == "parse"
            case "int64", "transferSize": return word(index - 1) == "."
            // The codes of '0', 'A' and 'a', less what the digit counts.
            case "48", "55", "87": return word(index - 1) == "-"
            case let type where integers.contains(type):
                if word(index + 1) == ".", word(index + 2) == "init" { return true }
                return word(index + 1) == "(" && isOptionalConversion(at: index, word)
            default: return false
            }
        }
    }

    /// Whether the code allows for a nil of this conversion. One from text has it; those between numbers that have it
    /// too are named.
    private static func isOptionalConversion(at start: Int, _ word: (Int) -> String) -> Bool {
        if betweenNumbers.contains(word(start + 2)) { return false }
        let end = closing(start + 1, word)
        if word(end + 1) == "?" || word(end + 1) == ":" && word(end + 2) == "nil" { return true }
        if (start..<end).contains(where: { word($0) == "radix" }) { return true }
        if word(start - 1) == "{" && ["flatMap", "compactMap"].contains(word(start - 2)) { return true }
        let isBound = word(start - 1) == "=" && ["let", "var"].contains(word(start - 3))
        if isBound && ["if", "guard", "while", ","].contains(word(start - 4)) { return true }
        // In a function that gives such a number or nil.
        guard let arrow = (0..<start).last(where: { word($0) == "-" && word($0 + 1) == ">" }) else { return false }
        return word(arrow + 2) == word(start) && word(arrow + 3) == "?"
    }

    private static func closing(_ open: Int, _ word: (Int) -> String) -> Int {
        var depth = 0
        var index = open
        repeat {
            if word(index) == "(" { depth += 1 }
            if word(index) == ")" { depth -= 1 }
            index += 1
        } while depth > 0 && !word(index).isEmpty
        return index - 1
    }
}
