/**
 * @module
 * Lists and replaces the prompts of a component and of its modules by key.
 */
import { checkOption, required } from '@x/core/options'
import { addToList } from '@x/core/values'
import { type BasePromptTemplate, isPromptTemplate } from './base-prompt-template.ts'
import { PromptKeyError } from './errors.ts'

/** Prompts by key. The keys of modules have the form `module:key`. */
export type PromptDict = Record<string, BasePromptTemplate>

/** A component that has prompts. */
export interface HasPrompts {
  /** Returns copies of all prompts by key: its own first, then those of each module. */
  getPrompts(): PromptDict
  /** Replaces prompts by key: either all of them or, if an error is thrown, no prompt. */
  updatePrompts(prompts: Readonly<PromptDict>): void
}

/** The prompts of a component and of its modules. */
interface PromptModule {
  /** The component's own prompts. */
  readonly prompts?: Readonly<PromptDict> | undefined
  /** The modules of the component that have prompts. */
  readonly modules?: Readonly<Record<string, HasPrompts>> | undefined
}

function checkName(name: string, what: string): void {
  if (name.includes(':')) throw new PromptKeyError(name, `${what} must not contain a colon`)
}

function checkPrompt(where: string, key: string, value: unknown): void {
  checkOption(where, key, value, () => (isPromptTemplate(value) ? undefined : 'a prompt template'))
}

/**
 * Returns copies of all prompts of a component: its own first, then those of each module with keys `module:key`. Parsers and functions
 * are shared with the copies.
 * @throws {PromptKeyError} for a key or module name that contains a colon.
 */
export function getPrompts(module: PromptModule): PromptDict {
  checkOption('getPrompts', 'module', module, required('an object with prompts'))
  const { prompts, modules } = module
  const found: [string, BasePromptTemplate][] = Object.entries(prompts ?? {}).map(([key, prompt]) => {
    checkName(key, 'a key')
    checkPrompt('getPrompts', key, prompt)
    return [key, prompt.copy({ deep: true })]
  })
  for (const [name, part] of Object.entries(modules ?? {})) {
    checkName(name, 'the name of a module')
    checkOption('getPrompts', `modules.${name}`, part, required('an object with prompts', 'getPrompts'))
    for (const [key, prompt] of Object.entries(part.getPrompts())) found.push([`${name}:${key}`, prompt])
  }
  return Object.fromEntries(found)
}

/**
 * Replaces prompts by key: the component's own with `replace`, those of modules with their `updatePrompts`. If a key is unknown or a
 * value is not a prompt, nothing is replaced.
 * @throws {PromptKeyError} for an unknown key or module.
 * @throws {ModelValidationError} for a value that is not a prompt.
 */
export function updatePrompts(
  component: PromptModule,
  updates: Readonly<PromptDict>,
  replace: (prompts: PromptDict) => void = () => {},
): void {
  checkOption('updatePrompts', 'component', component, required('an object with prompts'))
  checkOption('updatePrompts', 'updates', updates, required('an object of prompts'))
  const known = getPrompts(component)
  const own: [string, BasePromptTemplate][] = []
  const byModule = new Map<string, [string, BasePromptTemplate][]>()
  for (const [key, prompt] of Object.entries(updates)) {
    const colon = key.indexOf(':')
    if (!Object.hasOwn(known, key)) {
      const names = Object.keys(known)
      throw new PromptKeyError(key, `this prompt does not exist; known keys: ${names.join(', ') || 'none'}`)
    }
    checkPrompt('updatePrompts', key, prompt)
    if (colon === -1) own.push([key, prompt])
    else addToList(byModule, key.slice(0, colon), [key.slice(colon + 1), prompt])
  }
  if (own.length > 0) replace(Object.fromEntries(own))
  for (const [name, prompts] of byModule) component.modules![name]!.updatePrompts(Object.fromEntries(prompts))
}

/**
 * The base class of components with prompts. A subclass lists its prompts and replaces them.
 * @example
 * class Greeter extends PromptMixin {
 *   greeting: BasePromptTemplate = new PromptTemplate({ template: 'Hello {name}' })
 *   protected override _getPrompts() { return { greeting: this.greeting } }
 *   protected override _updatePrompts(prompts: PromptDict) { this.greeting = prompts['greeting'] ?? this.greeting }
 * }
 * const greeter = new Greeter()
 * greeter.updatePrompts({ greeting: new PromptTemplate({ template: 'Welcome, {name}' }) })
 * greeter.greeting.format({ name: 'Ada' }) // => 'Welcome, Ada'
 */
export abstract class PromptMixin implements HasPrompts {
  /** Returns the component's own prompts by key. */
  protected abstract _getPrompts(): PromptDict
  /** Replaces own prompts. Receives only keys that `_getPrompts` returns. */
  protected abstract _updatePrompts(prompts: PromptDict): void

  /** Returns the modules that have prompts, by name. */
  protected _getPromptModules(): Record<string, HasPrompts> {
    return {}
  }

  getPrompts(): PromptDict {
    return getPrompts(this.promptModule())
  }

  updatePrompts(prompts: Readonly<PromptDict>): void {
    updatePrompts(this.promptModule(), prompts, (own) => this._updatePrompts(own))
  }

  private promptModule(): PromptModule {
    return { prompts: this._getPrompts(), modules: this._getPromptModules() }
  }
}
