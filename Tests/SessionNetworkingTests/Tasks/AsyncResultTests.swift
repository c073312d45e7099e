import Foundation
import TestSupport
import Testing

@testable import SessionNetworking

@Suite(.endsInTime) struct AsyncResultTests {
    @Test func `a result that comes before its caller waits for him, and nothing is started`() async throws {
        let result = AsyncResult<Int>()
        result.fulfil(.success(1))
        let value = try await result.value { Issue.record("it was there already") }
        #expect(value == 1)
    }

    @Test func `a result that comes while its caller waits resumes him`() async throws {
        let result = AsyncResult<Int>()
        let value = try await result.value { result.fulfil(.success(2)) }
        #expect(value == 2)
    }

    @Test func `a result from another thread resumes its caller`() async throws {
        let result = AsyncResult<Int>()
        let value = try await result.value { DispatchQueue.global().async { result.fulfil(.success(3)) } }
        #expect(value == 3)
    }

    @Test func `an error is thrown`() async {
        let result = AsyncResult<Int>()
        await #expect(throws: URLError(.timedOut)) {
            try await result.value { result.fulfil(.failure(URLError(.timedOut))) }
        }
    }

    @Test func `the first of two results counts`() async throws {
        let result = AsyncResult<Int>()
        result.fulfil(.success(1))
        result.fulfil(.success(2))
        #expect(try await result.value {} == 1)
        result.fulfil(.success(3))
        let racing = AsyncResult<Int>()
        let value = try await racing.value {
            racing.fulfil(.success(4))
            racing.fulfil(.failure(URLError(.cancelled)))
        }
        #expect(value == 4)
    }

    @Test func `many results race, one wins`() async throws {
        for _ in 0..<200 {
            let result = AsyncResult<Int>()
            let value = try await result.value {
                for number in 0..<4 { DispatchQueue.global().async { result.fulfil(.success(number)) } }
            }
            #expect(0..<4 ~= value)
        }
    }
}
