import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds every place of a file where an operator has something to change, in the order of the text, outer before inner.
final class MutantFinder: SyntaxVisitor {
    private let file: String
    private let converter: SourceLocationConverter
    private var mutants: [Mutant] = []
    private var occurrences: [String: Int] = [:]

    static func mutants(of source: String, in file: String) -> [Mutant] {
        let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
        let finder = MutantFinder(file, SourceLocationConverter(fileName: file, tree: tree))
        finder.walk(tree)
        return finder.mutants
    }

    private init(_ file: String, _ converter: SourceLocationConverter) {
        self.file = file
        self.converter = converter
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: What is left alone

    /// Words for people.
    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    /// Raw values must be literals.
    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    /// A switch must stay exhaustive.
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        // A hash of fewer fields is a hash.
        node.name.text == "hash" ? .skipChildren : .visitChildren
    }

    // MARK: Expressions

    private static let swaps: [(Mutant.Operator, [(String, String)])] = [
        (.boundary, [("<", "<="), (">", ">=")]),
        (.equality, [("==", "!="), ("===", "!==")]),
        (.logic, [("&&", "||")]),
        (.arithmetic, [("+", "-"), ("&+", "&-"), ("+=", "-="), ("&+=", "&-=")]),
    ]

    private static func swap(_ symbol: String) -> (Mutant.Operator, String)? {
        for (kind, pairs) in swaps {
            for (one, other) in pairs where symbol == one || symbol == other {
                return (kind, symbol == one ? other : one)
            }
        }
        return nil
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text,
            let (kind, other) = Self.swap(symbol), !(symbol == "+" && node.joinsText)
        else { return .visitChildren }
        let left = node.leftOperand.trimmedDescription
        replace(node, kind, by: "\(left) \(other) \(node.rightOperand.trimmedDescription)")
        return .visitChildren
    }

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        if let condition = node.condition.as(ExprSyntax.self) { negate(condition) }
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    private func negate(_ condition: ExprSyntax) {
        // The opposite of an equality is a mutant already.
        let symbol = condition.as(InfixOperatorExprSyntax.self)?.operator.trimmedDescription
        if let symbol, Self.swap(symbol)?.0 == .equality { return }
        if condition.is(BooleanLiteralExprSyntax.self) { return }
        if let negation = condition.as(PrefixOperatorExprSyntax.self), negation.operator.text == "!" {
            replace(condition, .condition, by: negation.expression.trimmedDescription)
        } else {
            replace(condition, .condition, by: "!(\(condition.trimmedDescription))")
        }
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        // Behind a minus the compiler wants to see a literal.
        guard let value = node.representedLiteralValue, node.parent?.is(PrefixOperatorExprSyntax.self) != true else {
            return .skipChildren
        }
        replace(node, .number, by: value == 1 ? "0" : "\(value + 1)")
        return .skipChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        // Behind `while true` the compiler demands nothing.
        if node.parent?.is(ConditionElementSyntax.self) ?? false { return .skipChildren }
        replace(node, .boolean, by: node.literal.text == "true" ? "false" : "true")
        return .skipChildren
    }

    // MARK: Statements

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard case .expr(let expression) = node.item else { return .visitChildren }
        if node.isValue {
            if node.resultIsOptional, !expression.is(IfExprSyntax.self), !expression.is(SwitchExprSyntax.self) {
                makeNil(expression)
            }
        } else if expression.isCall && !node.mayBeValue || expression.isAssignment && !node.isInInitializer {
            add(node, .deletion, .statement(node.offsets), expression.trimmedDescription)
        }
        return .visitChildren
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        guard let expression = node.expression else { return .visitChildren }
        if node.resultIsOptional {
            makeNil(expression)
        } else if expression.isCall, node.returnsNothing {
            let form = Mutant.Form.returnedCall(expression.offsets, start: node.offsets.lowerBound)
            add(expression, .deletion, form, expression.trimmedDescription)
        }
        return .visitChildren
    }

    private func makeNil(_ expression: ExprSyntax) {
        if !expression.is(NilLiteralExprSyntax.self) { replace(expression, .nothing, by: "nil") }
    }

    // MARK: Adding

    private func replace(_ node: some ExprSyntaxProtocol, _ kind: Mutant.Operator, by text: String) {
        add(node, kind, .expression(node.offsets, or: text), node.trimmedDescription, text)
    }

    private func add(
        _ node: some SyntaxProtocol, _ kind: Mutant.Operator, _ form: Mutant.Form, _ original: String,
        _ replacement: String = ""
    ) {
        let start = node.startLocation(converter: converter)
        var mutant = Mutant(
            file: file, line: start.line, column: start.column, function: node.functionName, operator: kind,
            original: Self.onOneLine(original), replacement: Self.onOneLine(replacement), form: form)
        occurrences[mutant.name, default: 0] += 1
        mutant.occurrence = occurrences[mutant.name, default: 1]
        mutants.append(mutant)
    }

    private static func onOneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
