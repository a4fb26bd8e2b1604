import {
  type CompleteOptions,
  CompletionResponse,
  type Dict,
  type EmbedOptions,
  LLMMetadata,
  NodeWithScore,
  TextNode,
} from '@x/core-model'
import { BaseEmbedding, type BaseEmbeddingOptions, CustomLLM, type LLMOptions } from '@x/llm'

/** Counts running calls. A call that is not released never ends. */
export class Gate {
  calls = 0
  inFlight = 0
  mostInFlight = 0
  private readonly open: boolean
  private readonly onCall: ((calls: number) => void) | undefined

  constructor({ open = true, onCall }: { open?: boolean; onCall?: (calls: number) => void } = {}) {
    this.open = open
    this.onCall = onCall
  }

  async pass<T>(answer: () => T): Promise<T> {
    this.calls++
    this.inFlight++
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight)
    this.onCall?.(this.calls)
    await new Promise<void>((resolve) => {
      if (this.open) setTimeout(resolve, 1)
    })
    this.inFlight--
    return answer()
  }
}

/** A completion model that answers by a function and ignores signals. */
export class FunctionLLM extends CustomLLM {
  static override className(): string {
    return 'FunctionLLM'
  }

  readonly metadata: LLMMetadata
  readonly prompts: string[] = []
  private readonly answer: (prompt: string) => string
  private readonly gate: Gate

  constructor(
    options: LLMOptions & { answer: (prompt: string) => string; gate?: Gate; contextWindow?: number | null },
  ) {
    const { answer, gate = new Gate(), contextWindow = 4000, ...rest } = options
    super(rest)
    this.answer = answer
    this.gate = gate
    this.metadata = new LLMMetadata({ modelName: 'function', contextWindow, numOutput: 100 })
  }

  protected override async completeRequest(prompt: string): Promise<CompletionResponse> {
    this.prompts.push(prompt)
    return this.gate.pass(() => new CompletionResponse({ text: this.answer(prompt) }))
  }

  // biome-ignore lint/correctness/useYield: postprocessors do not stream
  protected override async *streamCompleteRequest(
    _prompt: string,
    _options: CompleteOptions,
  ): AsyncGenerator<CompletionResponse, void, undefined> {
    throw new Error('postprocessors do not stream')
  }
}

/** An embedding model whose vectors are computed from the letters of a string; ignores signals. */
export class LetterEmbedding extends BaseEmbedding {
  static override className(): string {
    return 'LetterEmbedding'
  }

  private readonly gate: Gate

  constructor(options: BaseEmbeddingOptions & { gate?: Gate } = {}) {
    const { gate = new Gate(), ...rest } = options
    super(rest)
    this.gate = gate
  }

  protected override queryRequest(query: string, _options: EmbedOptions): Promise<number[]> {
    return this.gate.pass(() => letters(query))
  }

  protected override textRequest(text: string, _options: EmbedOptions): Promise<number[]> {
    return this.gate.pass(() => letters(text))
  }
}

function letters(text: string): number[] {
  const counts = new Array<number>(26).fill(0.01)
  for (const letter of text.toLowerCase()) {
    const index = letter.charCodeAt(0) - 97
    if (index >= 0 && index < 26) counts[index]!++
  }
  return counts
}

/** A chain of nodes `n0`, `n1`, … of one document with dates and metadata, each linked to its neighbours. */
export function chain(count: number): TextNode[] {
  return Array.from(
    { length: count },
    (_, i) =>
      new TextNode({
        id: `n${i}`,
        text: `Text number ${i} is about ${'abcdefghij'[i % 10]!.repeat(5)}. It names Bob.`,
        metadata: { date: `20${String(10 + i).padStart(2, '0')}-01-01`, window: `window of ${i}`, by: 'Bob' },
        startCharIdx: i * 100,
        relationships: {
          '1': { nodeId: 'doc' },
          ...(i > 0 && { '2': { nodeId: `n${i - 1}` } }),
          ...(i < count - 1 && { '3': { nodeId: `n${i + 1}` } }),
        },
      }),
  )
}

/** Entries of the first nodes with descending scores, deeply frozen. */
export function frozenEntries(nodes: readonly TextNode[]): readonly NodeWithScore[] {
  return Object.freeze(nodes.map((node, i) => freeze(new NodeWithScore({ node, score: 1 - i / 10 }))))
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value as Dict)) freeze(inner)
  return value
}
