/**
 * @module
 * The text protocol with a prompt that callers may replace.
 */
import { type PromptDict, PromptTemplate, updatePrompts } from '@x/prompts'
import { shownSteps } from '../shown-steps.ts'
import { ReActProtocol } from './react-protocol.ts'

/** ReAct whose header is a prompt; the protocol of the agents. */
export class PromptedReActProtocol extends ReActProtocol {
  readonly shownSteps = shownSteps

  getPrompts(): PromptDict {
    return { system_prompt: new PromptTemplate({ template: this.formatter.systemHeader }) }
  }

  updatePrompts(prompts: Readonly<PromptDict>): void {
    updatePrompts({ prompts: this.getPrompts() }, prompts, ({ system_prompt }) => {
      this.formatter = this.formatter.copy({ update: { systemHeader: system_prompt?.getTemplate() } })
    })
  }
}
