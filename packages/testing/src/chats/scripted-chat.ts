/**
 * @module
 * The agent of the checks of chats, whose model answers by the words of the user.
 */
import { FunctionCallingAgent, FunctionTool, type Journal, journal, MemoryTaskStore } from '@x/agents'
import { addToList } from '@x/core/values'
import { ChatMessage, LLMMetadata, messageText } from '@x/core-model'
import { durableAgent, type TaskRun } from '@x/durable'
import { ScriptedLLM } from '@x/llm/testing'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const schema = { type: 'object', properties: { chat: { type: 'string' } }, required: ['chat'] } as const
const forever = () => new Promise<never>(() => {})

/**
 * Answers by the words of the user, whose last word is the chat: `mail`, `buy`, `hang` and `crash` are calls, of which `buy` needs an
 * approval, `hang` never ends, and `crash` ends when it runs for the second time; `loop` calls until the limit, `fails` fails once behind
 * its call, `slow` never ends its text.
 */
export class ScriptedChat {
  /** The keys of the effects of each chat. */
  readonly effects = new Map<string, string[]>()
  readonly llm: ScriptedLLM
  private readonly failed = new Set<string>()
  private readonly crashed = new Set<string>()
  private readonly hanging = new Map<string, () => void>()
  private readonly own: Journal = journal(new MemoryTaskStore())
  private calls = 0

  constructor() {
    this.llm = new ScriptedLLM({ metadata, answers: (messages) => this.answer(messages) as never })
  }

  /** Returns the agent: for an engine, or for a process. */
  agent(run: Partial<TaskRun> = {}): FunctionCallingAgent {
    const tool = (name: string, needsApproval: boolean, fn: (chat: string, key: string) => unknown) =>
      FunctionTool.fromDefaults({
        name,
        schema,
        needsApproval,
        fn: (({ chat }: { chat: string }, { idempotencyKey = '' }) => fn(chat, idempotencyKey)) as never,
      })
    const note = (chat: string, key: string) => {
      addToList(this.effects, chat, key)
      return `did it for ${chat}`
    }
    const hang = (chat: string) => {
      this.hanging.get(chat)?.()
      return forever()
    }
    const crash = (chat: string, key: string) => {
      const effect = note(chat, key)
      if (this.crashed.has(chat)) return effect
      this.crashed.add(chat)
      return hang(chat)
    }
    const tools = [
      tool('mail', false, note),
      tool('buy', true, note),
      tool('hang', false, hang),
      tool('crash', false, crash),
    ]
    // An engine stores the task itself.
    const taskStore = run.taskStore ?? (run.durable ? undefined : this.own)
    const options = (_: Partial<TaskRun>) => ({ llm: this.llm, tools, maxIterations: 3 })
    return durableAgent(options, FunctionCallingAgent)({ ...run, taskStore })
  }

  /** Resolves when the tool `hang` runs for a chat, or `crash` for the first time. */
  hangs(chat: string): Promise<void> {
    return new Promise((resolve) => void this.hanging.set(chat, resolve))
  }

  /** The messages of the last request with these words. */
  asked(words: string): ChatMessage[] {
    const call = this.llm.calls.findLast((one) => JSON.stringify(one).includes(words))
    return (call?.messages ?? []).map((message) => ChatMessage.fromDict(message))
  }

  private answer(messages: readonly ChatMessage[]) {
    const from = messages.findLastIndex(({ role }) => role === 'user')
    const said = messageText(messages[from]!)
    const hasResults = messages.length > from + 1
    const name = ['mail', 'buy', 'hang', 'crash'].find((one) => said.includes(one))
    if (hasResults && said.includes('fails') && !this.failed.has(said)) {
      this.failed.add(said)
      return new Error('planned')
    }
    if (name === undefined || (hasResults && !said.includes('loop')))
      return said.includes('slow') ? [`To ${said}. `, forever()] : `To ${said}.`
    const args = JSON.stringify({ chat: said.split(' ').at(-1) })
    const tool_calls = [{ id: `c${this.calls++}`, type: 'function', function: { name, arguments: args } }]
    return new ChatMessage({ role: 'assistant', content: `I ${name}. `, additionalKwargs: { tool_calls } })
  }
}
