import { fields, integer } from '@x/core-model/fields'
import { PromptTemplate } from '@x/prompts'

/** A text prompt whose lines are numbered. */
export class NumberedPrompt extends /* @__PURE__ */ fields(PromptTemplate, 'NumberedPrompt', {
  /** The number of the first line. */
  firstNumber: /* @__PURE__ */ integer({ minimum: 0, default: 1 }),
}) {
  override format(...args: Parameters<PromptTemplate['format']>): string {
    const lines = super.format(...args).split('\n')
    return lines.map((line, index) => `${this.firstNumber + index}. ${line}`).join('\n')
  }
}
