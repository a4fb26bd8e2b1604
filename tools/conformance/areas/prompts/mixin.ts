/** Components that contain prompts. */
import { type BasePromptTemplate, type HasPrompts, PromptKeyError, PromptMixin } from '@x/prompts'
import type { Operations } from '../../case.ts'
import { templatesOf, textPrompts } from '../../stand-ins/text-prompts.ts'

interface ModuleRecord {
  prompts?: Record<string, string>
  modules?: Record<string, ModuleRecord>
}

class DescribedModule extends PromptMixin {
  private readonly own: Record<string, BasePromptTemplate>
  private readonly parts: Record<string, HasPrompts>

  constructor({ prompts = {}, modules = {} }: ModuleRecord) {
    super()
    this.own = textPrompts(prompts)
    this.parts = Object.fromEntries(Object.entries(modules).map(([name, part]) => [name, new DescribedModule(part)]))
  }

  protected override _getPrompts() {
    return this.own
  }

  protected override _getPromptModules() {
    return this.parts
  }

  protected override _updatePrompts(prompts: Record<string, BasePromptTemplate>) {
    for (const key of Object.keys(this.own)) this.own[key] = prompts[key] ?? this.own[key]!
  }
}

interface OfModule {
  module: ModuleRecord
}

export const mixin: Operations = {
  'mixin.get_prompts': ({ module }: OfModule) => templatesOf(new DescribedModule(module).getPrompts()),

  'mixin.update_prompts': ({ module, updates }: OfModule & { updates: Record<string, string> }) => {
    const made = new DescribedModule(module)
    let threw = false
    try {
      made.updatePrompts(textPrompts(updates))
    } catch (error) {
      if (!(error instanceof PromptKeyError)) throw error
      threw = true
    }
    return { threw, after: templatesOf(made.getPrompts()) }
  },

  'mixin.get_prompts_isolation': ({ module, key, drop }: OfModule & { key: string; drop?: string }) => {
    const made = new DescribedModule(module)
    const first = made.getPrompts()
    const prompt = first[key]
    if (prompt === undefined) throw new Error(`given.key: the module has no prompt ${key}`)
    prompt.kwargs['x'] = '1'
    if (drop !== undefined) delete first[drop]
    const second = made.getPrompts()
    return { keys: Object.keys(second).sort(), kwargs: second[key]?.kwargs }
  },
}
