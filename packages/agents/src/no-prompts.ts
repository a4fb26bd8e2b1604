/**
 * @module
 * Runners and workers without prompts.
 */
import { checkOption, required } from '@x/core/options'
import { type PromptDict, PromptKeyError } from '@x/prompts'

/** Refuses each prompt, as `updatePrompts` of a component without prompts does. @throws {PromptKeyError} */
export function refusePrompts(updates: Readonly<PromptDict>): void {
  checkOption('updatePrompts', 'updates', updates, required('an object of prompts'))
  for (const key of Object.keys(updates)) throw new PromptKeyError(key, 'this prompt does not exist; known keys: none')
}
