import TLSBasics

extension TrustProblem: Error {}
