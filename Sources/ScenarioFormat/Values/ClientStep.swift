import HTTPBasics
import ServerScript

/// One thing that the caller does, when all its triggers have come true and the steps before it are done.
package struct ClientStep: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        indirect case task(TaskStep)
        /// Go on when the task has completed.
        case await(task: String)
        case suspend(task: String)
        case resume(task: String)
        case cancel(task: String)
        /// `cancel(byProducingResumeData:)`; the blob is kept under the name.
        case cancelKeepingResumeData(task: String, ticket: String?)
        /// Take the resume data out of the error that the task completed with.
        case keepResumeData(task: String, ticket: String)
        /// `invalidateAndCancel` or `finishTasksAndInvalidate`.
        case invalidate(cancelling: Bool)
        /// `reset` or `flush`; done when the handler has been called.
        case renew(reset: Bool)
        /// When every task is complete: another session, and the former is done with.
        case replaceSession
        /// Let time pass: virtual in the simulator, real over sockets.
        case advance(Duration)
        /// Set the wall clock of both sides so much ahead, or back; no time passes.
        case setClock(by: Duration)
        /// From now on the machine's network is this one.
        case network(NetworkKind)
        /// Lets a server step that awaits this name go on.
        case signal(String)
        /// Make the file that a task sends shorter.
        case shortenFile(task: String, to: Int)
        /// Write the file that a task sends once more, with the same bytes.
        case rewriteFile(task: String)
        /// Use the task's `progress` in place of the task.
        case progress(task: String, ProgressCall)
        /// Put so many bytes behind every partial file of a download.
        case lengthenPartialFiles(by: Int)
        /// From now on, questions of this kind are answered so.
        indirect case answer(AnswerRule)
    }

    package enum ProgressCall: String, Hashable, Sendable, CaseIterable { case cancel, pause, resume }

    package enum Trigger: Hashable, Sendable {
        /// The task has been given at least this many body bytes.
        case received(task: String, bytes: Int)
        /// The task has seen an event of this kind.
        case event(task: String, EventWord)
        case signal(String)
    }

    package var when: [Trigger]
    package var action: Action
    package var mark: SourceMark

    package init(_ action: Action, when: [Trigger] = [], mark: SourceMark) {
        self.action = action
        self.when = when
        self.mark = mark
    }
}

/// A task as a scenario describes it.
package struct TaskStep: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case data, download, upload
        /// `bytes(for:)`; exists in the async style only.
        case bytes
    }

    /// The writer of `BoundStreams`.
    package enum Producer: Hashable, Sendable {
        /// Writes everything, and closes its end.
        case closes
        /// Lets go of its end after so many bytes.
        case letsGo(after: Int)
    }

    package var label: String
    package var kind: Kind
    package var method: String
    /// Path with query on the first host, or an absolute URL in which `$origin.b.test` stands for a listener.
    package var target: String
    package var host: String?
    package var fields: Fields
    package var body: Content?
    /// The body as a stream.
    package var bodyStream: Content?
    /// How the stream's bytes come to be, if a producer writes them.
    package var producer: Producer?
    /// The body as a form.
    package var form: [FormPart]?
    /// The body in slices, each with a request of its own.
    package var sliced: SlicedBody?
    package var timeout: Duration?
    package var cachePolicy: CachePolicyName?
    /// What its request goes through before the task is made.
    package var edits: [RequestEdit] = []
    /// `earliestBeginDate`, counted from when the task is made.
    package var earliestBegin: Duration?
    /// For `upload`: its body as a file.
    package var bodyFile: BodyFileStep?
    /// For `upload`: the delegate gives its body.
    package var isStreamed: Bool
    /// Continue the download of this ticket instead of making a request.
    package var resumeData: String?
    /// Bytes to use as resume data as they are, to try what a damaged blob does.
    package var rawResumeData: Content?
    /// `resume: no` leaves the task suspended.
    package var isResumed: Bool
    /// User information to put into the URL.
    package var urlCredentials: BasicCredentials?
    /// `mainDocumentURL`, written as `target` is.
    package var mainDocument: String?
    package var handlesCookies = true
    /// Networks that its request does not go out on.
    package var denies: [DeniedNetwork] = []
    /// How the task's own delegate is written, if it has one.
    package var ownDelegate: DelegateForm?
    /// For `bytes`: stop reading here until the signal comes.
    package var pauseReading: ReadingPause?
    /// For `bytes`: let go of the sequence here.
    package var stopReading: Int?
    /// For `bytes`: lines are read in place of bytes.
    package var readsLines = false

    package init(label: String, kind: Kind = .data, method: String = "GET", target: String) {
        self.label = label
        self.kind = kind
        self.method = method
        self.target = target
        self.fields = Fields()
        self.isResumed = true
        self.isStreamed = false
    }
}

extension TaskStep {
    /// With the method, the target, the body and the timeout that its edits leave.
    package var edited: TaskStep {
        var task = self
        for edit in edits {
            switch edit {
            case .method(let method): task.method = method
            case .url(let target): task.target = target
            case .body(let content): task.body = content
            case .timeout(let span): task.timeout = span
            default: break
            }
        }
        return task
    }

    package var hasOwnDelegate: Bool { ownDelegate != nil }

    /// Whether all or part of its body is read from a file.
    package var sendsFile: Bool { bodyFile != nil || sliced != nil || form?.contains(where: \.isFile) ?? false }
}

/// The file that an upload task sends.
package struct BodyFileStep: Hashable, Sendable {
    package enum Obstacle: String, Hashable, Sendable, CaseIterable { case missing, directory }

    package var content: Content
    /// What is there in place of the file.
    package var obstacle: Obstacle?

    package init(content: Content, obstacle: Obstacle? = nil) {
        self.content = content
        self.obstacle = obstacle
    }
}

extension TaskStep {
    /// What it sends; for a streamed upload the answers to `needStream` tell.
    package var ownBody: Content? { body ?? bodyStream ?? bodyFile?.content }
    package var hasBody: Bool { ownBody != nil || isStreamed || kind == .upload }
}

package struct ReadingPause: Hashable, Sendable {
    package var at: Int
    package var until: String

    package init(at: Int, until: String) {
        self.at = at
        self.until = until
    }
}

/// What a caller's own evaluation wants to know of revocations.
package enum RevocationPolicy: String, Hashable, Sendable, CaseIterable {
    case asked, required
    case requiredList = "required-list"
}

/// How long a credential is kept.
package enum CredentialPersistence: String, Hashable, Sendable, CaseIterable { case none, session, permanent }

/// How a delegate answers one kind of question.
package struct AnswerRule: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        case useCredential(BasicCredentials, CredentialPersistence)
        /// `useCredential` with nil.
        case useNoCredential
        case performDefaultHandling
        case cancelChallenge
        case rejectProtectionSpace
        case follow
        /// The redirect handler is given nil.
        case stop
        /// The delayed request begins to load, or its task is cancelled.
        case continueLoading, cancelDelayed
        /// Take a server's certificates as they are.
        case trust
        /// Take them if they pass the caller's own evaluation, else give up.
        case evaluateTrust(RevocationPolicy?)
        /// Show this identity of `certs/`.
        case present(String)
        /// The redirect or the delayed request goes to this method and target instead, with these fields besides.
        case rewrite(method: String, target: String, fields: Fields)
        case allow
        case cancelResponse
        case becomeDownload
        /// The new body stream gives this; nil is no stream.
        case stream(Content?)
        /// The answer is kept as it is, with another body, or not at all.
        case keep, keepOther(Content), drop
        /// Never answer.
        case withhold
    }

    package enum Question: String, Hashable, Sendable, CaseIterable {
        case challenge, redirect, response, needStream, delayedRequest, willCache
    }

    package var question: Question
    /// Of a challenge; nil for other questions.
    package var method: ChallengeMethod?
    /// Whether it is a proxy's; nil for both.
    package var isOfProxy: Bool?
    /// Nil answers for every task.
    package var task: String?
    package var answer: Answer
    /// Answer this much later.
    package var delay: Duration

    package init(_ question: Question, _ answer: Answer, task: String? = nil, delay: Duration = .zero) {
        self.question = question
        self.answer = answer
        self.task = task
        self.delay = delay
    }
}
