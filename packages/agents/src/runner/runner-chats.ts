/**
 * @module
 * Answers messages: each in a task, whose messages are added to a conversation. The runner documents the operations.
 */

import { invalidOption } from '@x/core/options'
import { type BaseMemory, ConfigurationError, isToolkitError, type QueryBundle } from '@x/core-model'
import { anySignal, Channel, raceAbort } from '@x/core-model/async'
import { ChatMemoryBuffer, memoryForTurn, type TurnMemory, toMessage } from '@x/core-model/memory'
import { AbortError } from '../agent-error.ts'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import {
  asStream,
  pieceStream,
  RESTART,
  StreamingAgentChatResponse,
  streamEnd,
  type TextPiece,
} from '../answer/chat-answer.ts'
import { QueryAnswer } from '../answer/query-answer.ts'
import type { QueryResponse } from '../answer/query-response.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import type { TaskState } from '../task/agent-state.ts'
import {
  type AgentInput,
  checkConversation,
  conversationIdOf,
  inputMessageOf,
  type TaskInput,
  taskInput,
} from '../task/task.ts'
import { TaskNotFoundError } from '../task/task-errors.ts'
import type { Answer } from './finalizing.ts'
import { runEvents } from './run-events.ts'
import {
  type ChatOptions,
  type ChatResponseMode,
  type OnAgentEvent,
  type QueryOptions,
  type RunEventsOptions,
  type RunTaskOptions,
  runOptions,
} from './runner-options.ts'
import type { RunnerRuns } from './runner-runs.ts'
import type { RunnerTasks } from './runner-tasks.ts'

/** The messages of a runner and their answers. */
export class RunnerChats<State extends TaskState = TaskState> {
  private readonly memory: BaseMemory
  private readonly tasks: RunnerTasks<State>
  private readonly runs: RunnerRuns<State>

  /** Memories that nobody reads after their run. */
  private readonly unread = new WeakSet<BaseMemory>()

  /** @param memory - the conversation of runs without their own. */
  constructor(memory: BaseMemory, tasks: RunnerTasks<State>, runs: RunnerRuns<State>) {
    this.memory = memory
    this.tasks = tasks
    this.runs = runs
  }

  async answer(input: AgentInput, options: ChatOptions | undefined): Promise<Answer> {
    const answer = await this.converse(input, runOptions('chat', options), 'wait')
    // The run of another caller may stream.
    await streamEnd(answer)
    return answer
  }

  /** Answers in a memory that nobody reads afterwards. */
  once(input: AgentInput, options: ChatOptions & { memory: BaseMemory }): Promise<Answer> {
    this.unread.add(options.memory)
    return this.answer(input, options)
  }

  async stream(input: AgentInput, given: ChatOptions | undefined): Promise<StreamingAgentChatResponse> {
    const options = runOptions('chat', given)
    const answer =
      options.text === 'all'
        ? streamAllTurns(options, (signal, onEvent) => this.converse(input, { ...options, signal, onEvent }, 'stream'))
        : asStream(await this.converse(input, options, 'stream'))
    answer.keepsReading = options.keepsReading ?? false
    return answer
  }

  events(input: AgentInput, given: RunEventsOptions | undefined): AsyncGenerator<AgentEvent> {
    const options = runOptions('chat', given)
    const mode: ChatResponseMode = options.stream === false ? 'wait' : 'stream'
    return runEvents(options, (signal, onEvent) => this.converse(input, { ...options, signal, onEvent }, mode))
  }

  async query(query: string | QueryBundle, options: QueryOptions | undefined): Promise<QueryResponse> {
    const text = typeof query === 'string' ? query : query?.queryStr
    if (typeof text !== 'string') throw invalidOption('query', '', 'a string or a QueryBundle', query)
    const taskId = this.tasks.newId()
    let isWaiting = false
    try {
      const answer = await this.begin(text, { ...options, memory: this.scratch() }, 'wait', taskId)
      return new QueryAnswer({ response: answer.response, sourceNodes: answer.sourceNodes })
    } catch (error) {
      isWaiting = isToolkitError(error, 'approval_required')
      throw error
    } finally {
      if (!isWaiting && this.tasks.table.find(taskId)) await this.tasks.table.delete(taskId)
    }
  }

  private async converse(input: AgentInput, options: ChatOptions, mode: ChatResponseMode): Promise<Answer> {
    const { taskId, signal, onEvent } = options
    const memory = options.conversation?.memory ?? options.memory
    if (taskId === undefined) return this.begin(input, options, mode, this.tasks.newId())
    const known = this.tasks.table.find(taskId)?.task.memory
    checkConversation(taskId, known && conversationIdOf(known), memory)
    return this.runs.shared.join(taskId, { signal, onEvent, memory }, (report) =>
      this.attach(input, { ...options, onEvent: report }, mode, taskId),
    )
  }

  /** Continues the task with this id, or creates it. */
  private async attach(
    input: AgentInput,
    options: ChatOptions,
    mode: ChatResponseMode,
    taskId: string,
  ): Promise<Answer> {
    const state = await this.known(taskId, options)
    if (state?.response) return state.response
    if (!state && input === '') throw new TaskNotFoundError(taskId)
    try {
      if (!state) return await this.begin(input, options, mode, taskId)
      // The choice of the first step was made by the model that the task asked then.
      const { toolChoice, ...others } = options
      return await this.runs.runToEnd(taskId, state.completedSteps.length > 0 ? others : options, mode)
    } catch (error) {
      // Another runner has taken over the task, and may have finished it.
      const response = isToolkitError(error, 'task_claimed') && (await this.known(taskId, options))?.response
      if (response) return response
      throw error
    }
  }

  /** Returns the task with this id, in memory or from the store. */
  private async known(taskId: string, { memory, conversation }: ChatOptions): Promise<State | undefined> {
    const { table, store } = this.tasks
    table.removeClaimed(taskId)
    if (!table.find(taskId) && store) await this.tasks.resume(taskId, { memory: conversation?.memory ?? memory })
    return table.find(taskId)
  }

  private async begin(
    input: AgentInput,
    options: ChatOptions,
    mode: ChatResponseMode,
    taskId: string,
  ): Promise<Answer> {
    const { chatHistory } = options
    const given = taskInput(input)
    const chosen = this.memoryOfRun(options)
    // The memory of the runner receives the messages of finished tasks.
    const isGiven = (options.memory ?? options.conversation) !== undefined && !this.unread.has(chosen)
    const turn = isGiven ? memoryForTurn(chosen, taskId) : undefined
    const memory = turn ?? chosen
    return this.runs.conversations.use(memory, () =>
      this.runs.withDeadline(
        { message: given.inputMessage ?? given.input, taskId, memory },
        options,
        async (signal, parentId) => {
          if (chatHistory) await memory.set(chatHistory.map(toMessage))
          // A store may hang, and nothing has run yet that would be rolled back.
          const state = await raceAbort(this.create(given, { taskId, memory }, { signal, turn }), signal)
          state.leavesTurn = isGiven && !turn
          return this.runs.finish(state, { ...options, signal, parentId }, mode)
        },
      ),
    )
  }

  private async create(
    given: TaskInput,
    options: { taskId: string; memory: BaseMemory },
    { signal, turn }: { signal: AbortSignal | undefined; turn: TurnMemory | undefined },
  ): Promise<State> {
    if (turn && !turn.hasBegun) await turn.begin(inputMessageOf(given), this.tasks.holdsInput)
    try {
      return await this.tasks.create(given, options, signal)
    } catch (error) {
      // The error is the one to report.
      await turn?.seal().catch(() => {})
      throw error
    }
  }

  /** @throws {ConfigurationError} if there is more than one conversation. */
  private memoryOfRun({ memory, conversation, chatHistory }: ChatOptions): BaseMemory {
    if ([memory, conversation, chatHistory].filter(Boolean).length > 1) {
      const given = Object.entries({ memory, conversation, chatHistory }).filter(([, value]) => value)
      const names = given.map(([name]) => name).join(' and ')
      throw new ConfigurationError(`chat: ${names} cannot be combined; a run has one conversation.`)
    }
    if (conversation) return conversation.memory
    if (chatHistory && this.runs.conversations.isOpen(this.memory)) return this.scratch()
    return memory ?? this.memory
  }

  private scratch(): BaseMemory {
    return this.memory.fresh?.() ?? ChatMemoryBuffer.fromDefaults()
  }
}

/** Starts a run. */
type StartRun = (signal: AbortSignal, onEvent: OnAgentEvent) => Promise<AgentChatResponse>

/** Streams the text of all turns of a run. Turns are separated by an empty line. */
function streamAllTurns(
  { signal: outer, onEvent: report }: Pick<RunTaskOptions, 'signal' | 'onEvent'>,
  start: StartRun,
): StreamingAgentChatResponse {
  const channel = new Channel<TextPiece>()
  const controller = new AbortController()
  let lastStep: string | undefined
  /** The text of the turns that are over, and of the current one. */
  let before = ''
  let text = ''
  const onEvent: OnAgentEvent = (event) => {
    if (event.type === 'turn_restarted' && event.stepId === lastStep) {
      void channel.push(RESTART)
      void channel.push(before)
      text = ''
    }
    if (event.type === 'text_delta') {
      if (lastStep !== undefined && lastStep !== event.stepId) {
        before += `${text}\n\n`
        text = ''
        void channel.push('\n\n')
      }
      lastStep = event.stepId
      text += event.delta
      void channel.push(event.delta)
    }
    return report?.(event)
  }
  const { signal, release } = anySignal(outer, controller.signal)
  const run = async () => {
    const answer = await start(signal, onEvent)
    await streamEnd(answer)
    // A task that was already finished has no turns in this run.
    if (lastStep === undefined && answer.response !== '') void channel.push(answer.response)
    return answer
  }
  const running = run()
  void running.then(release, release)
  running.then(
    () => channel.close(),
    (error) => channel.fail(error),
  )
  const response = new StreamingAgentChatResponse({
    stream: pieceStream(channel),
    cancel: (reason) => controller.abort(new AbortError(reason)),
  })
  void response.whenDone(async () => {
    const { sources, sourceNodes, usage, output } = await running
    Object.assign(response, { sources, sourceNodes, usage, output })
  })
  return response
}
