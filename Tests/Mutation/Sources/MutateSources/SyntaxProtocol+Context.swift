import SwiftSyntax

extension SyntaxProtocol {
    /// UTF-8 offsets in the file, without the blanks and comments around.
    var offsets: Range<Int> {
        positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
    }

    private var ancestors: some Sequence<Syntax> { sequence(first: Syntax(self)) { $0.parent }.dropFirst() }

    /// The function or property that it is in.
    var functionName: String {
        for node in ancestors {
            if let function = node.as(FunctionDeclSyntax.self) { return function.name.text }
            if node.is(InitializerDeclSyntax.self) { return "init" }
            if let binding = node.as(PatternBindingSyntax.self), !binding.isLocal {
                return binding.pattern.trimmedDescription
            }
        }
        return "-"
    }

    private var isLocal: Bool { ancestors.contains { $0.is(CodeBlockSyntax.self) || $0.is(ClosureExprSyntax.self) } }

    var isInInitializer: Bool { ancestors.contains { $0.is(InitializerDeclSyntax.self) } }

    /// The function, accessor or closure whose `return` this would be.
    private var returning: Syntax? {
        ancestors.first {
            $0.is(FunctionDeclSyntax.self) || $0.is(InitializerDeclSyntax.self) || $0.is(ClosureExprSyntax.self)
                || $0.is(PatternBindingSyntax.self) && $0.as(PatternBindingSyntax.self)?.accessorBlock != nil
        }
    }

    var returnsNothing: Bool {
        returning?.as(FunctionDeclSyntax.self).map { $0.signature.returnClause == nil } ?? false
    }

    var resultIsOptional: Bool {
        let function = returning?.as(FunctionDeclSyntax.self)?.signature.returnClause?.type
        let type = function ?? returning?.as(PatternBindingSyntax.self)?.typeAnnotation?.type
        return type?.is(OptionalTypeSyntax.self) ?? false
    }
}

extension CodeBlockItemSyntax {
    /// The only expression of a body with a result is that result.
    var isValue: Bool { owner.map(Self.givesResult) ?? false }

    /// In a closure of one expression only the type checker knows.
    var mayBeValue: Bool { owner?.is(ClosureExprSyntax.self) ?? false }

    /// What has this statement as its only one.
    private var owner: Syntax? {
        guard let list = parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else { return nil }
        return list.parent
    }

    private static func givesResult(_ owner: Syntax) -> Bool {
        if let block = owner.as(AccessorBlockSyntax.self) { return block.parent != nil }
        if owner.is(SwitchCaseSyntax.self) { return isResult(owner.parent?.parent) }
        guard let block = owner.as(CodeBlockSyntax.self), let parent = block.parent else { return false }
        if let function = parent.as(FunctionDeclSyntax.self) { return function.signature.returnClause != nil }
        if let accessor = parent.as(AccessorDeclSyntax.self) { return accessor.accessorSpecifier.text == "get" }
        return parent.is(IfExprSyntax.self) && isResult(parent)
    }

    /// Whether that `if` or `switch` stands where a value is expected.
    private static func isResult(_ branching: Syntax?) -> Bool {
        guard let parent = branching?.parent else { return false }
        if parent.is(IfExprSyntax.self) { return isResult(parent) }
        guard parent.is(ExpressionStmtSyntax.self) else { return true }
        return parent.parent?.as(CodeBlockItemSyntax.self)?.isValue ?? false
    }
}

extension ExprSyntax {
    var isCall: Bool {
        if let chain = self.as(OptionalChainingExprSyntax.self) { return chain.expression.isCall }
        return self.is(FunctionCallExprSyntax.self)
    }

    var isAssignment: Bool {
        guard let infix = self.as(InfixOperatorExprSyntax.self) else { return false }
        if infix.operator.is(AssignmentExprSyntax.self) { return true }
        guard let symbol = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return false }
        return symbol.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(symbol)
    }
}

extension InfixOperatorExprSyntax {
    /// `+` between texts has no opposite.
    var joinsText: Bool {
        [leftOperand, rightOperand].contains { operand in
            operand.is(StringLiteralExprSyntax.self)
                || operand.as(InfixOperatorExprSyntax.self)?.joinsText ?? false
        }
    }
}
