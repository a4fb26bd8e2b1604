/** A completion model that answers from the script of a case, and checks of its prompts. */
import { CompletionResponse, LLMMetadata, messageText } from '@x/core-model'
import { CustomLLM } from '@x/llm'
import type { Expectation } from '../../case.ts'
import { expectEqual } from '../../compare.ts'
import { CaseError } from '../../given.ts'

type Responses = (string | { error: string })[]

/** The answers of the model, and those for prompts that contain a text. */
export interface Script {
  responses?: Responses
  match?: { contains: string; responses: Responses }[]
}

/** Calls `answer` for every prompt; the prompt of a chat is the content of its messages, one after the other. */
export class MockModel extends CustomLLM {
  static override className(): string {
    return 'MockModel'
  }

  readonly metadata = new LLMMetadata({ isChatModel: false, contextWindow: 1_000_000 })
  readonly prompts: string[] = []
  private readonly answer: (prompt: string) => string | Promise<string>

  constructor(answer: (prompt: string) => string | Promise<string>) {
    super({ messagesToPrompt: (messages) => messages.map(messageText).join('\n') })
    this.answer = answer
  }

  protected override async completeRequest(prompt: string): Promise<CompletionResponse> {
    this.prompts.push(prompt)
    return new CompletionResponse({ text: await this.answer(prompt) })
  }

  protected override async *streamCompleteRequest(prompt: string) {
    yield await this.completeRequest(prompt)
  }
}

interface ExpectedPrompt {
  contains?: string[]
  not_contains?: string[]
}

function checkPrompts(prompts: readonly string[], wanted: readonly ExpectedPrompt[]): void {
  expectEqual(prompts.length, wanted.length, {}, 'number of prompts')
  for (const [index, { contains = [], not_contains: excluded = [] }] of wanted.entries()) {
    const prompt = prompts[index] ?? ''
    const isWrong = (text: string) => prompt.includes(text) === excluded.includes(text)
    for (const text of [...contains, ...excluded].filter(isWrong))
      throw new CaseError(
        `prompt ${index}: ${JSON.stringify(text)} ${contains.includes(text) ? 'is missing' : 'is there'}`,
      )
  }
}

/** The answers of a script, used up in order; those for a matching prompt first. */
class Answers {
  private readonly inOrder: Responses
  private readonly matching: { contains: string; responses: Responses }[]
  private beyond = 0

  constructor({ responses = [], match = [] }: Script) {
    this.inOrder = [...responses]
    this.matching = match.map((entry) => ({ contains: entry.contains, responses: [...entry.responses] }))
  }

  next(prompt: string): string {
    const match = this.matching.find(({ contains, responses }) => prompt.includes(contains) && responses.length > 0)
    const answer = (match?.responses ?? this.inOrder).shift()
    if (answer === undefined) {
      this.beyond += 1
      throw new Error('the model was asked for more answers than the case contains')
    }
    if (typeof answer === 'string') return answer
    throw new Error(answer.error)
  }

  checkNotBeyond(): void {
    if (this.beyond > 0)
      throw new CaseError(`the model was asked for ${this.beyond} more answers than the case contains`)
  }

  checkUsedUp(): void {
    const left = [this.inOrder, ...this.matching.map(({ responses }) => responses)].flat().length
    if (left > 0) throw new CaseError(`${left} answers of the model were not asked for`)
  }
}

/** Runs with a scripted model, and checks that the case contains exactly the answers asked for, and the prompts. */
export async function withModel<T>(
  llm: Script | undefined,
  { prompts }: Expectation,
  run: (llm: MockModel) => Promise<T>,
): Promise<T> {
  const answers = new Answers(llm ?? {})
  const model = new MockModel((prompt) => answers.next(prompt))
  try {
    const result = await run(model)
    answers.checkUsedUp()
    return result
  } finally {
    answers.checkNotBeyond()
    if (prompts !== undefined) checkPrompts(model.prompts, prompts as ExpectedPrompt[])
  }
}
