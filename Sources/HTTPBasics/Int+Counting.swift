extension Int {
    /// `1 byte`, `2 bytes`: numbers in messages agree with their nouns.
    package func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
