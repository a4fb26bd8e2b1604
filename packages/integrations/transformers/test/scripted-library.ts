/**
 * @module
 * A library whose models return scripted results.
 */
import type { Network, TransformersLibrary } from '../src/library.ts'

interface Feeds {
  input_ids: { data: BigInt64Array; dims: number[] }
  attention_mask: { data: BigInt64Array; dims: number[] }
}

interface Answer {
  name?: string
  dims: number[]
  values: ArrayLike<number>
}

interface Script {
  /** Called for each run of a model, with the ids of each row. Returns the values and their dimensions. */
  run?: (rows: number[][]) => Promise<Answer>
  /** Called when a model is loaded. */
  load?: () => Promise<void>
  config?: object
  maxLength?: number
  /** The ids of the special tokens around a string. */
  special?: readonly [number[], number[]]
}

/** Every character is a token; its id is its code. */
export class ScriptedLibrary {
  readonly runs: number[][][] = []
  readonly loads: { name: string; options: Record<string, unknown> }[] = []
  disposed = 0
  private readonly script: Script

  constructor(script: Script = {}) {
    this.script = script
  }

  readonly import = async (): Promise<TransformersLibrary> => {
    const { script } = this
    const [before, after] = script.special ?? [[1], [2]]
    const ids = (text: string) => [...text.replace(/\s/g, '')].map((character) => character.codePointAt(0)!)
    const tokenizer = Object.assign(
      (text: string, { text_pair }: { text_pair?: string }) => {
        const pair = text_pair === undefined ? [] : [...after, ...ids(text_pair)]
        return { input_ids: [...before, ...ids(text), ...pair, ...after] }
      },
      {
        encode: (text: string) => ids(text),
        tokenize: (text: string) => [...text.replace(/\s/g, '')],
        model_max_length: script.maxLength ?? 512,
        pad_token_id: 0,
      },
    )
    const networks = { from_pretrained: async (name: string, options: object = {}) => this.network(name, options) }
    return {
      AutoTokenizer: { from_pretrained: async () => tokenizer },
      AutoModel: networks,
      AutoModelForSequenceClassification: networks,
      AutoModelForTokenClassification: networks,
      Tensor: class {
        readonly type: string
        readonly data: BigInt64Array
        readonly dims: number[]
        constructor(type: 'int64', data: BigInt64Array, dims: number[]) {
          this.type = type
          this.data = data
          this.dims = dims
        }
      },
    }
  }

  private async network(name: string, options: object): Promise<Network> {
    this.loads.push({ name, options: { ...options } })
    await this.script.load?.()
    const run = async (inputs: Record<string, unknown>) => {
      const { input_ids, attention_mask } = inputs as unknown as Feeds
      const [count, length] = input_ids.dims as [number, number]
      const rows = Array.from({ length: count }, (_, row) =>
        Array.from({ length }, (_, at) => row * length + at)
          .filter((at) => attention_mask.data[at] === 1n)
          .map((at) => Number(input_ids.data[at])),
      )
      this.runs.push(rows)
      const ones: Answer = { dims: [count, length, 1], values: new Float32Array(count * length).fill(1) }
      const answer = (await this.script.run?.(rows)) ?? ones
      const output = {
        dims: answer.dims,
        type: 'float16',
        data: [],
        to: () => ({ ...output, type: 'float32', data: Float32Array.from(answer.values) }),
      }
      return answer.name ? { [answer.name]: output } : { last_hidden_state: output, logits: output }
    }
    const dispose = async () => {
      this.disposed += 1
    }
    return Object.assign(run, { config: this.script.config ?? {}, dispose })
  }
}
