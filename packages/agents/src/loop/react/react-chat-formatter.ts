/**
 * @module
 * Creates the messages for a ReAct model: the tools, the conversation, and the steps of the current task.
 */
import { ChatMessage, isTextPart } from '@x/core-model'
import { isSystemMessage } from '@x/core-model/components'
import { fillTemplate, parseTemplate } from '@x/core-model/text'
import { ReActChatFormatterModel, type ReActChatFormatterOptions } from '../../generated/react-chat-formatter.ts'
import type { AsyncBaseTool } from '../../tool/base-tool.ts'
import { withContext } from './default-prompt.ts'
import { type ReasoningStep, reasoningText } from './reasoning-step.ts'

/** An object with tool metadata. */
type DescribedTool = Pick<AsyncBaseTool, 'metadata'>

/**
 * Creates the messages for a ReAct model: a system message that describes the tools, the conversation, and one message per reasoning
 * record.
 * @example
 * const formatter = new ReActChatFormatter({ systemHeader: 'Tools: {tool_names}' })
 * formatter.format([], [])[0].content // => 'Tools: '
 */
export class ReActChatFormatter extends ReActChatFormatterModel {
  /** Creates a formatter with the default header, or with the header for a context if there is a context. */
  static fromDefaults(
    options: Omit<ReActChatFormatterOptions, 'systemHeader' | 'context'> & {
      systemHeader?: string | null | undefined
      context?: string | null | undefined
    } = {},
  ): ReActChatFormatter {
    const context = options.context ?? ''
    const { systemHeader: header, ...others } = options
    const formatter = new ReActChatFormatter({ ...others, ...(header && { systemHeader: header }), context })
    if (!header && context !== '') formatter.systemHeader = withContext(formatter.systemHeader)
    return formatter
  }

  /**
   * @deprecated Use `fromDefaults({ context })`.
   * @param options.logger - receives the deprecation warning.
   */
  static fromContext(context: string, options: { logger?: (text: string) => void } = {}): ReActChatFormatter {
    options.logger?.('ReActChatFormatter.fromContext is deprecated; use fromDefaults({ context }).')
    return ReActChatFormatter.fromDefaults({ context })
  }

  /**
   * @throws {MissingVariableError} if the header contains a variable without a value.
   * @throws {ToolNameError} if a tool has no name, or one that looks like a line of the prompt.
   * @throws {ToolSchemaError} if a tool has no schema.
   */
  format(
    tools: readonly DescribedTool[],
    chatHistory: readonly ChatMessage[],
    currentReasoning: readonly ReasoningStep[] = [],
  ): ChatMessage[] {
    const rendered = this.rendered(tools)
    const history = chatHistory.map((message) => this.quotedMessage(message))
    const messages = [rendered.system, ...history, ...rendered.transcript(currentReasoning)]
    return this.mergeSameRole ? merged(messages) : messages
  }

  /** Returns a message of a user, or another one with the role of observations, as text that cannot be mistaken for an observation. */
  private quotedMessage(message: ChatMessage): ChatMessage {
    const { role, content } = message
    if ((role !== 'user' && role !== 'tool' && role !== this.observationRole) || content === null) return message
    if (typeof content === 'string') {
      const text = quoteMarkers(content)
      return text === content ? message : message.copy({ update: { content: text } })
    }
    const parts = content.map((part) => (isTextPart(part) ? { ...part, text: quoteMarkers(part.text) } : part))
    return message.copy({ update: { content: parts } })
  }

  private rendered(tools: readonly DescribedTool[]): RenderedPrompt {
    const last = lastRendered.get(this)
    const isSame = last?.systemHeader === this.systemHeader && last.context === this.context
    if (isSame && last.tools.length === tools.length && last.tools.every((tool, i) => tool === tools[i])) return last
    const rendered = new RenderedPrompt(this, tools)
    lastRendered.set(this, rendered)
    return rendered
  }
}

/** The last messages of each formatter. Most of them are the same in every step of a task. */
const lastRendered = new WeakMap<ReActChatFormatter, RenderedPrompt>()

class RenderedPrompt {
  readonly tools: readonly DescribedTool[]
  readonly systemHeader: string
  readonly context: string
  readonly system: ChatMessage
  private readonly formatter: ReActChatFormatter
  private steps: readonly ReasoningStep[] = []
  private messages: readonly ChatMessage[] = []

  constructor(formatter: ReActChatFormatter, tools: readonly DescribedTool[]) {
    const { systemHeader, context } = formatter
    this.system = new ChatMessage({ role: 'system', content: systemText(systemHeader, context, tools) })
    this.formatter = formatter
    this.tools = [...tools]
    this.systemHeader = systemHeader
    this.context = context
  }

  /** Returns one message per entry. Messages of entries from the last call are reused. */
  transcript(steps: readonly ReasoningStep[]): readonly ChatMessage[] {
    const { observationRole } = this.formatter
    this.messages = steps.map((step, i) => {
      const before = this.messages[i]
      const role = step.kind === 'observation' ? observationRole : 'assistant'
      return before && this.steps[i] === step && before.role === role
        ? before
        : new ChatMessage({ role, content: reasoningText(quoted(step)) })
    })
    this.steps = steps.slice()
    return this.messages
  }
}

/** The last template that was parsed: most agents have the same. */
let parsed: { text: string; parts: ReturnType<typeof parseTemplate> } | undefined

function systemText(systemHeader: string, context: string, tools: readonly DescribedTool[]): string {
  const described = tools.map(describe)
  const vars: Record<string, string> = {
    tool_names: described.map(({ name }) => name).join(', '),
    tool_desc: described.map(({ text }) => text).join('\n'),
  }
  if (context !== '') vars['context'] = context
  if (parsed?.text !== systemHeader)
    parsed = { text: systemHeader, parts: parseTemplate(systemHeader, 'ReActChatFormatter.systemHeader: ') }
  return fillTemplate(parsed.parts, (name) => vars[name])
}

/** Returns a record whose observation cannot be mistaken for a part of the transcript. */
function quoted(step: ReasoningStep): ReasoningStep {
  return step.kind === 'observation' ? { ...step, observation: quoteMarkers(String(step.observation)) } : step
}

/** Returns the name of a tool and its part of the system message. */
function describe({ metadata }: DescribedTool): { name: string; text: string } {
  const name = metadata.getName()
  const [description, args] = [metadata.description, metadata.fnSchemaStr].map(quoteMarkers)
  return { name, text: `> Tool Name: ${name}\nTool Description: ${description}\nTool Args: ${args}\n` }
}

/** Joins adjacent messages of the same role, for models that require alternating roles. */
function merged(messages: readonly ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = []
  for (const message of messages) {
    const last = out.at(-1)
    const joinable =
      last?.role === message.role && typeof last.content === 'string' && typeof message.content === 'string'
    if (joinable && !isSystemMessage(message) && Object.keys(message.additionalKwargs).length === 0) {
      out[out.length - 1] = last.copy({ update: { content: `${last.content}\n\n${message.content}` } })
    } else out.push(message)
  }
  return out
}

/** The ends of lines, also those that few programs know. */
const LINE = /([\n\v\f\r\x1c-\x1e\u0085\u2028\u2029]+)/
/** What no reader sees: marks, format and control characters, and fillers. */
const INVISIBLE = /[\p{Cf}\p{M}\p{Cc}\p{Default_Ignorable_Code_Point}]+/gu
/** Signs that look like a colon. */
const COLON = /[\u02d0\u02f8\u0589\u05c3\u0703\u0704\u1361\u16ec\u1804\u205a\u2236\u2237\u2982\ua6f4\ua789\ufe30]/g
/** A colon, or a character that may look like one or become one. */
const MAY_HAVE_COLON = /[:\P{ASCII}]/u
/** Signs, tags, numbers and blanks at the start of a line. A line that starts with a bar is no line of the protocol. */
const START =
  /^(?:<\/?[a-z][a-z\d]*(?:\s[^<>]{0,200})?>|&#?\w{1,10};|[^\p{L}|<&]+|[<&]|(?:[a-z]|[ivx]{2,5})[.)\]]\s*)*/iu
/** A property in JSON. */
const PROPERTY = /^[\s{[,]*"[^"]+"\s*:\s*(?:["[{\d-]|(?:true|false|null)\b|$)/
/** Letters, and those that look like them in the order: small capitals, Lisu, Greek and Cyrillic. */
const LETTERS = 'abcdefghilmnoprstuvw'
const ALIKE = new Set(
  ['ᴀʙᴄᴅᴇꜰɢʜɪʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡ', 'ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪ', 'αβσδεϝγηιλμνορρστυνω', 'авсԁефԍніӏмпоргѕтцѵԝ'].flatMap((row) =>
    [...row].map((letter, i) => LETTERS[i]! + letter),
  ),
)
/** Letters of alphabets in which many look like Latin ones. */
const MAY_BE_ALIKE =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]/u
const KEYS = [
  'thought',
  'action',
  'actioninput',
  'answer',
  'finalanswer',
  'observation',
  'toolname',
  'tooldescription',
  'toolargs',
]

/**
 * Returns a string in which no line looks like a part of the protocol: a line that starts with `Thought:`, `Action:`, `Action Input:`,
 * `Answer:`, `Final Answer:`, `Observation:`, `Tool Name:`, `Tool Description:` or `Tool Args:` is prefixed with `| `. So is a line that
 * only looks so: with letters of other scripts, invisible or full-width characters, or signs before the word or its colon. Applied to tool
 * outputs, descriptions of tools and messages of users for a ReAct model, so that none of them can forge a tool, a tool call or its
 * result. All other text is unchanged. Takes linear time.
 */
export function quoteMarkers(text: string): string {
  if (!MAY_HAVE_COLON.test(text)) return text
  return text
    .split(LINE)
    .map((line, i) => (i % 2 === 0 && isMarker(line) ? `| ${line}` : line))
    .join('')
}

function isMarker(line: string): boolean {
  const folded = line.replace(COLON, ':').normalize('NFKD').replace(INVISIBLE, '')
  const start = folded.slice(START.exec(folded)![0].length)
  const end = start.indexOf(':')
  if (end < 0 || start.startsWith('|') || PROPERTY.test(folded)) return false
  const letters = [
    ...start
      .slice(0, end)
      .toLowerCase()
      .replace(/\P{L}+/gu, ''),
  ]
  for (const key of KEYS) if (key.length === letters.length && isLike(letters, key)) return true
  return false
}

/** Whether letters are those of a key of the same length, or look like them: letters of other alphabets may replace some of them. */
function isLike(letters: readonly string[], key: string): boolean {
  if (letters.every((letter, i) => letter === key[i] || ALIKE.has(key[i]! + letter))) return true
  const isSame = letters.every((letter, i) => letter === key[i] || (letter > '\x7f' && MAY_BE_ALIKE.test(letter)))
  return isSame && letters.some((letter) => letter <= '\x7f')
}
