/** A completion model that answers from the script of a case, and checks of its prompts. */
import { CompletionResponse, CustomLLM, LLMMetadata, messageText } from '@x/core-model'
import type { Expectation } from '../../case.ts'
import { expectEqual } from '../../compare.ts'
import { CaseError, either, list, optional, Place, type Read, shape, string } from '../../reader.ts'

const responses = list(either('an answer or {"error"}', string, shape({ error: string })))

export const script = shape({
  responses: optional(responses),
  match: optional(list(shape({ contains: string, responses }))),
})

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

const expectedPrompts = list(shape({ contains: optional(list(string)), not_contains: optional(list(string)) }))

function checkPrompts(prompts: readonly string[], expected: unknown): void {
  const at = new Place('expect.prompts')
  const wanted = expectedPrompts(expected, at)
  expectEqual(prompts.length, wanted.length, {}, 'number of prompts')
  for (const [index, { contains = [], not_contains: excluded = [] }] of wanted.entries()) {
    const prompt = prompts[index] ?? ''
    for (const text of contains)
      if (!prompt.includes(text)) at.child(index).fail(`a prompt that contains ${JSON.stringify(text)}`, prompt)
    for (const text of excluded)
      if (prompt.includes(text)) at.child(index).fail(`a prompt without ${JSON.stringify(text)}`, prompt)
  }
}

/** The answers of a script, used up in order; those for a matching prompt first. */
class Answers {
  private readonly inOrder: Read<typeof responses>
  private readonly matching: { contains: string; responses: Read<typeof responses> }[]
  private beyond = 0

  constructor({ responses = [], match = [] }: Read<typeof script>) {
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
  llm: Read<typeof script> | undefined,
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
    if (prompts !== undefined) checkPrompts(model.prompts, prompts)
  }
}
