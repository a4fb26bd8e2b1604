/**
 * @module
 * The ReAct worker for models that accept images.
 */
import { callback, checkGiven, checkOptions, type OptionTable, required } from '@x/core/options'
import {
  type BaseLLM,
  ChatMessage,
  ConfigurationError,
  type ImagePart,
  isTextPart,
  type MessageRole,
} from '@x/core-model'
import { withImages } from '../loop/react/default-prompt.ts'
import { PromptedReActProtocol } from '../loop/react/prompted-react-protocol.ts'
import { ReActChatFormatter } from '../loop/react/react-chat-formatter.ts'
import type { ReActProtocolOptions } from '../loop/react/react-protocol.ts'
import { inputText, type Task } from '../task/task.ts'
import type { StepLike, TaskLike } from '../task/task-like.ts'
import type { TaskStep } from '../task/task-step.ts'
import { REACT_OPTIONS, ReActAgentWorker, type ReActAgentWorkerOptions } from './react-agent-worker.ts'

/** An image of a task: an image node, or its wire form. */
interface ImageDocumentLike {
  /** Base64 text. */
  image?: string | null
  imageUrl?: string | null
  image_url?: string | null
  imagePath?: string | null
  image_path?: string | null
  imageMimetype?: string | null
  image_mimetype?: string | null
  metadata?: Record<string, unknown> | null
}

/** Creates the user message with images. */
export interface ImageMessageParts {
  prompt: string
  role: MessageRole
  imageDocuments: readonly ImageDocumentLike[]
  [more: string]: unknown
}

/** Options of `MultimodalReActAgentWorker`. */
interface MultimodalReActAgentWorkerOptions extends Omit<ReActAgentWorkerOptions, 'llm'> {
  /** A chat model that accepts images in the content of messages. */
  multiModalLlm: BaseLLM
  /** Creates the user message. Receives the `image_kwargs` of the step state. @defaultValue {@link imageMessage} */
  generateChatMessageFn?: ((parts: ImageMessageParts) => ChatMessage) | undefined
}

// A function, because bundlers keep a constant of the top level that is taken apart.
const INHERITED = (({ llm: _, ...others }) => others)(REACT_OPTIONS)
const MULTIMODAL_OPTIONS: OptionTable<MultimodalReActAgentWorkerOptions> = {
  ...INHERITED,
  multiModalLlm: required('a model', 'metadata'),
  generateChatMessageFn: callback,
}

/**
 * Like {@link ReActAgentWorker}, for tasks with images: those of the input, and those that `extraState.image_docs` lists. The list may be
 * empty, and may be missing if the input is a message. Later inputs of a task are text. Beta: details may change.
 * @throws {ModelValidationError} if an option is unknown, invalid or missing.
 * @throws {ConfigurationError} if options contradict each other.
 * @example
 * const multiModalLlm = new ScriptedLLM({ answers: ['Answer: a cat'] })
 * const runner = new AgentRunner({ agentWorker: new MultimodalReActAgentWorker({ multiModalLlm }) })
 * const image_docs = [{ imageUrl: 'https://example.org/a.png' }]
 * const { taskId } = await runner.createTask('What is on it?', { extraState: { image_docs } })
 * String(await runner.runTask(taskId)) // => 'a cat'
 */
export class MultimodalReActAgentWorker extends ReActAgentWorker {
  constructor(given: MultimodalReActAgentWorkerOptions) {
    checkOptions('MultimodalReActAgentWorker', given, MULTIMODAL_OPTIONS)
    const { multiModalLlm, generateChatMessageFn, ...options } = given
    const withImageHeader = () =>
      new ReActChatFormatter({ systemHeader: withImages(new ReActChatFormatter().systemHeader) })
    const reactChatFormatter = options.reactChatFormatter ?? withImageHeader()
    super(
      { ...options, reactChatFormatter, llm: multiModalLlm },
      (parts) => new MultimodalProtocol(parts, generateChatMessageFn ?? imageMessage),
    )
  }

  override initializeStep(task: Task): TaskStep {
    const images = task.extraState['image_docs'] ?? (task.inputMessage ? [] : undefined)
    if (!Array.isArray(images) || !images.every((image) => typeof image === 'object' && image !== null)) {
      throw new ConfigurationError(
        'MultimodalReActAgentWorker: the extra state of a task needs image_docs, a list of image documents that may be empty.',
      )
    }
    const step = super.initializeStep(task)
    step.stepState['image_docs'] = [...images]
    return step
  }
}

/** ReAct with images in the user message, and the whole conversation. */
class MultimodalProtocol extends PromptedReActProtocol {
  private readonly generateChatMessageFn: (parts: ImageMessageParts) => ChatMessage

  constructor(options: ReActProtocolOptions, generateChatMessageFn: (parts: ImageMessageParts) => ChatMessage) {
    super(options)
    this.generateChatMessageFn = generateChatMessageFn
  }

  protected override userMessage(input: ChatMessage, { stepState }: StepLike): ChatMessage {
    const imageDocuments = stepState['image_docs'] as ImageDocumentLike[]
    const options = stepState['image_kwargs'] as Record<string, unknown> | undefined
    const own = typeof input.content === 'string' ? [] : (input.content ?? []).filter((part) => !isTextPart(part))
    if (own.length > 0 && imageDocuments.length === 0) return input
    const made = this.generateChatMessageFn({ prompt: inputText(input), role: 'user', imageDocuments, ...options })
    if (own.length === 0) return made
    const parts = typeof made.content === 'string' ? [{ type: 'text' as const, text: made.content }] : made.content
    return made.copy({ update: { content: [...(parts ?? []), ...own] } })
  }

  protected override history(task: TaskLike): ChatMessage[] | Promise<ChatMessage[]> {
    return task.memory.getAll()
  }
}

/** Creates a message with a text part and one part per image, in the form that most providers accept. Images without data are omitted. */
export function imageMessage(message: ImageMessageParts): ChatMessage {
  checkGiven('imageMessage', { message }, 'a message with images', 'imageDocuments')
  const { prompt, role, imageDocuments } = message
  const images = imageDocuments.flatMap((document): ImagePart[] => {
    const url = addressOf(document)
    return url ? [{ type: 'image_url', image_url: { url } }] : []
  })
  return new ChatMessage({ role, content: [{ type: 'text', text: prompt }, ...images] })
}

function addressOf(document: ImageDocumentLike): string | null {
  if (document.image) {
    const type = document.imageMimetype ?? document.image_mimetype ?? 'image/jpeg'
    return `data:${type};base64,${document.image}`
  }
  const file = document.metadata?.['file_path']
  return (
    document.imageUrl ||
    document.image_url ||
    document.imagePath ||
    document.image_path ||
    (typeof file === 'string' ? file : null)
  )
}
