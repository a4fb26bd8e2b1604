/**
 * @module
 * The prompts of a component and of its modules, listed and replaced by key.
 */
import { ModelValidationError } from '@x/core-model'
import { type BasePromptTemplate, isPromptTemplate } from './base-prompt-template.ts'
import { PromptKeyError } from './errors.ts'

/** Prompts by key; keys of modules look like `module:key`. */
export type PromptDict = Record<string, BasePromptTemplate>

/** A component that has prompts. */
export interface HasPrompts {
  /** Copies of all prompts by key, own ones first, then those of each module. */
  getPrompts(): PromptDict
  /** Replaces the named prompts; all of them or, when one cannot be, none. */
  updatePrompts(prompts: Readonly<PromptDict>): void
}

/** What a component says about its prompts. */
export interface PromptModule {
  /** Its own prompts. */
  readonly prompts?: Readonly<PromptDict> | undefined
  /** Its parts that have prompts themselves. */
  readonly modules?: Readonly<Record<string, HasPrompts>> | undefined
}

function checkName(name: string, what: string): void {
  if (name.includes(':')) throw new PromptKeyError(name, `${what} must not hold a colon`)
}

/**
 * Copies of all prompts of a component: own ones first, then those of each module with keys `module:key`. Parsers and functions
 * are shared.
 * @throws {PromptKeyError} for a key or module name that holds a colon.
 */
export function getPrompts({ prompts = {}, modules = {} }: PromptModule): PromptDict {
  const found: [string, BasePromptTemplate][] = Object.entries(prompts).map(([key, prompt]) => {
    checkName(key, 'a key')
    return [key, prompt.copy({ deep: true })]
  })
  for (const [name, part] of Object.entries(modules)) {
    checkName(name, 'the name of a module')
    for (const [key, prompt] of Object.entries(part.getPrompts())) found.push([`${name}:${key}`, prompt])
  }
  return Object.fromEntries(found)
}

/**
 * Replaces prompts by key: own ones through `replace`, those of modules through the modules. Nothing is replaced when a key is
 * unknown or a value is no prompt.
 * @throws {PromptKeyError} for an unknown key or module.
 * @throws {ModelValidationError} for a value that is no prompt.
 */
export function updatePrompts(
  component: PromptModule,
  updates: Readonly<PromptDict>,
  replace: (prompts: PromptDict) => void,
): void {
  const known = getPrompts(component)
  const own: [string, BasePromptTemplate][] = []
  const byModule = new Map<string, [string, BasePromptTemplate][]>()
  for (const [key, prompt] of Object.entries(updates)) {
    const colon = key.indexOf(':')
    if (!Object.hasOwn(known, key)) {
      const names = Object.keys(known)
      throw new PromptKeyError(key, `there is no such prompt; known keys: ${names.join(', ') || 'none'}`)
    }
    if (!isPromptTemplate(prompt))
      throw new ModelValidationError('updatePrompts', [
        { path: key, message: 'expected a prompt template', code: 'type' },
      ])
    if (colon === -1) own.push([key, prompt])
    else
      byModule.set(key.slice(0, colon), [...(byModule.get(key.slice(0, colon)) ?? []), [key.slice(colon + 1), prompt]])
  }
  if (own.length > 0) replace(Object.fromEntries(own))
  for (const [name, prompts] of byModule) component.modules![name]!.updatePrompts(Object.fromEntries(prompts))
}

/**
 * The base of components that have prompts. A subclass lists them and says how its own ones are replaced.
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
  /** Own prompts by key. */
  protected abstract _getPrompts(): PromptDict
  /** Replaces own prompts; gets only keys that `_getPrompts` lists. */
  protected abstract _updatePrompts(prompts: PromptDict): void

  /** Parts that have prompts themselves, by name. */
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
