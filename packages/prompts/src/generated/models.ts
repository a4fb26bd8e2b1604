// Generated from the schemas by tools/codegen. Do not edit.
import type { BasePromptTemplate } from '../base-prompt-template.ts'
import type { ForeignSelector } from '../foreign-prompt-template.ts'
import type { Conditional } from '../selector-prompt-template.ts'
import type { VariableFunction } from '../variable-values.ts'
import type { ChatMessage, ChatMessageOptions, ModelSpec, OutputParser } from '@x/core-model'

/** The fields of {@link ChatPromptTemplate}. */
export interface ChatPromptTemplateFields {
  /** Data about the prompt; always holds prompt_type. */
  metadata: Record<string, unknown>
  /** Variable names in order of occurrence, with repeats. */
  templateVars: string[]
  /** Stored values by variable name. */
  kwargs: Record<string, string>
  /** Adds instructions to the filled prompt. */
  outputParser: OutputParser | null
  /** Name that callers use → name in the template. */
  templateVarMappings: Record<string, string> | null
  /** Variable name → function of all values that gives its text. */
  functionMappings: Readonly<Record<string, VariableFunction>> | null
  /** The messages; {name} is a variable, {{ and }} are braces. */
  messageTemplates: ChatMessage[]
  /** literal: only {name} of a declared name is a placeholder. */
  templateFormat: 'literal' | null
}

/** What {@link ChatPromptTemplate} is built from. */
export interface ChatPromptTemplateOptions {
  /** Data about the prompt; always holds prompt_type. */
  metadata: Record<string, unknown>
  /** Variable names in order of occurrence, with repeats. */
  templateVars: readonly string[]
  /** Stored values by variable name. */
  kwargs: Record<string, string>
  /** Adds instructions to the filled prompt. */
  outputParser?: OutputParser | null | undefined
  /** Name that callers use → name in the template. @defaultValue null */
  templateVarMappings?: Record<string, string> | null | undefined
  /** Variable name → function of all values that gives its text. */
  functionMappings?: Readonly<Record<string, VariableFunction>> | null | undefined
  /** The messages; {name} is a variable, {{ and }} are braces. */
  messageTemplates: readonly (ChatMessage | ChatMessageOptions)[]
  /** literal: only {name} of a declared name is a placeholder. @defaultValue null */
  templateFormat?: 'literal' | null | undefined
}

/** @internal */
export const chatPromptTemplateSpec: ModelSpec = {"name":"ChatPromptTemplate","description":"Chat messages with variables.","className":"ChatPromptTemplate","fields":{"metadata":{"schema":{"type":"object"},"required":true},"templateVars":{"wire":"template_vars","schema":{"type":"array","items":{"type":"string"}},"required":true},"kwargs":{"schema":{"type":"object","additionalProperties":{"type":"string"}},"required":true},"outputParser":{"wire":"output_parser","schema":{"x-nested":true},"holds":["parse","format","formatMessages"]},"templateVarMappings":{"wire":"template_var_mappings","schema":{"additionalProperties":{"type":"string"},"type":["object","null"]}},"functionMappings":{"wire":"function_mappings","schema":{"x-nested":true}},"messageTemplates":{"wire":"message_templates","schema":{"type":"array","items":{"x-nested":true}},"required":true},"templateFormat":{"wire":"template_format","schema":{"enum":["literal",null],"type":["string","null"]},"extension":true}}}

/** The fields of {@link ForeignPromptTemplate}. */
export interface ForeignPromptTemplateFields {
  /** Data about the prompt; always holds prompt_type. */
  metadata: Record<string, unknown>
  /** Variable names in order of occurrence, with repeats. */
  templateVars: string[]
  /** Stored values by variable name. */
  kwargs: Record<string, string>
  /** Adds instructions to the filled prompt. */
  outputParser: OutputParser | null
  /** Name that callers use → name in the template. */
  templateVarMappings: Record<string, string> | null
  /** Variable name → function of all values that gives its text. */
  functionMappings: Readonly<Record<string, VariableFunction>> | null
  /** The foreign prompts: a default one and conditional ones. */
  selector: ForeignSelector | null
  /** A model that wraps no foreign model is refused. */
  requiresForeignLlm: boolean
}

/** What {@link ForeignPromptTemplate} is built from. */
export interface ForeignPromptTemplateOptions {
  /** Data about the prompt; always holds prompt_type. */
  metadata: Record<string, unknown>
  /** Variable names in order of occurrence, with repeats. */
  templateVars: readonly string[]
  /** Stored values by variable name. */
  kwargs: Record<string, string>
  /** Adds instructions to the filled prompt. */
  outputParser?: OutputParser | null | undefined
  /** Name that callers use → name in the template. @defaultValue null */
  templateVarMappings?: Record<string, string> | null | undefined
  /** Variable name → function of all values that gives its text. */
  functionMappings?: Readonly<Record<string, VariableFunction>> | null | undefined
  /** The foreign prompts: a default one and conditional ones. */
  selector?: ForeignSelector | null | undefined
  /** A model that wraps no foreign model is refused. @defaultValue false */
  requiresForeignLlm?: boolean | undefined
}

/** @internal */
export const foreignPromptTemplateSpec: ModelSpec = {"name":"ForeignPromptTemplate","description":"A prompt object of another framework.","className":"ForeignPromptTemplate","fields":{"metadata":{"schema":{"type":"object"},"required":true},"templateVars":{"wire":"template_vars","schema":{"type":"array","items":{"type":"string"}},"required":true},"kwargs":{"schema":{"type":"object","additionalProperties":{"type":"string"}},"required":true},"outputParser":{"wire":"output_parser","schema":{"x-nested":true},"holds":["parse","format","formatMessages"]},"templateVarMappings":{"wire":"template_var_mappings","schema":{"additionalProperties":{"type":"string"},"type":["object","null"]}},"functionMappings":{"wire":"function_mappings","schema":{"x-nested":true}},"selector":{"schema":{"x-nested":true}},"requiresForeignLlm":{"wire":"requires_foreign_llm","schema":{"type":"boolean"},"default":false}}}

/** The fields of {@link PromptTemplate}. */
export interface PromptTemplateFields {
  /** Data about the prompt; always holds prompt_type. */
  metadata: Record<string, unknown>
  /** Variable names in order of occurrence, with repeats. */
  templateVars: string[]
  /** Stored values by variable name. */
  kwargs: Record<string, string>
  /** Adds instructions to the filled prompt. */
  outputParser: OutputParser | null
  /** Name that callers use → name in the template. */
  templateVarMappings: Record<string, string> | null
  /** Variable name → function of all values that gives its text. */
  functionMappings: Readonly<Record<string, VariableFunction>> | null
  /** The text; {name} is a variable, {{ and }} are braces. */
  template: string
  /** literal: only {name} of a declared name is a placeholder. */
  templateFormat: 'literal' | null
}

/** What {@link PromptTemplate} is built from. */
export interface PromptTemplateOptions {
  /** Data about the prompt; always holds prompt_type. */
  metadata: Record<string, unknown>
  /** Variable names in order of occurrence, with repeats. */
  templateVars: readonly string[]
  /** Stored values by variable name. */
  kwargs: Record<string, string>
  /** Adds instructions to the filled prompt. */
  outputParser?: OutputParser | null | undefined
  /** Name that callers use → name in the template. @defaultValue null */
  templateVarMappings?: Record<string, string> | null | undefined
  /** Variable name → function of all values that gives its text. */
  functionMappings?: Readonly<Record<string, VariableFunction>> | null | undefined
  /** The text; {name} is a variable, {{ and }} are braces. */
  template: string
  /** literal: only {name} of a declared name is a placeholder. @defaultValue null */
  templateFormat?: 'literal' | null | undefined
}

/** @internal */
export const promptTemplateSpec: ModelSpec = {"name":"PromptTemplate","description":"One text with variables.","className":"PromptTemplate","fields":{"metadata":{"schema":{"type":"object"},"required":true},"templateVars":{"wire":"template_vars","schema":{"type":"array","items":{"type":"string"}},"required":true},"kwargs":{"schema":{"type":"object","additionalProperties":{"type":"string"}},"required":true},"outputParser":{"wire":"output_parser","schema":{"x-nested":true},"holds":["parse","format","formatMessages"]},"templateVarMappings":{"wire":"template_var_mappings","schema":{"additionalProperties":{"type":"string"},"type":["object","null"]}},"functionMappings":{"wire":"function_mappings","schema":{"x-nested":true}},"template":{"schema":{"type":"string"},"required":true},"templateFormat":{"wire":"template_format","schema":{"enum":["literal",null],"type":["string","null"]},"extension":true}}}

/** The fields of {@link SelectorPromptTemplate}. */
export interface SelectorPromptTemplateFields {
  /** Data about the prompt; always holds prompt_type. */
  metadata: Record<string, unknown>
  /** Variable names in order of occurrence, with repeats. */
  templateVars: string[]
  /** Stored values by variable name. */
  kwargs: Record<string, string>
  /** Adds instructions to the filled prompt. */
  outputParser: OutputParser | null
  /** Name that callers use → name in the template. */
  templateVarMappings: Record<string, string> | null
  /** Variable name → function of all values that gives its text. */
  functionMappings: Readonly<Record<string, VariableFunction>> | null
  /** Taken when no condition holds. */
  defaultTemplate: BasePromptTemplate
  /** Conditions on the model with their templates; the first that holds wins. */
  conditionals: readonly Conditional[] | null
}

/** What {@link SelectorPromptTemplate} is built from. */
export interface SelectorPromptTemplateOptions {
  /** Data about the prompt; always holds prompt_type. */
  metadata: Record<string, unknown>
  /** Variable names in order of occurrence, with repeats. */
  templateVars: readonly string[]
  /** Stored values by variable name. */
  kwargs: Record<string, string>
  /** Adds instructions to the filled prompt. */
  outputParser?: OutputParser | null | undefined
  /** Name that callers use → name in the template. @defaultValue null */
  templateVarMappings?: Record<string, string> | null | undefined
  /** Variable name → function of all values that gives its text. */
  functionMappings?: Readonly<Record<string, VariableFunction>> | null | undefined
  /** Taken when no condition holds. */
  defaultTemplate: BasePromptTemplate
  /** Conditions on the model with their templates; the first that holds wins. */
  conditionals?: readonly Conditional[] | null | undefined
}

/** @internal */
export const selectorPromptTemplateSpec: ModelSpec = {"name":"SelectorPromptTemplate","description":"A default template and conditional ones, chosen by the model.","className":"SelectorPromptTemplate","fields":{"metadata":{"schema":{"type":"object"},"required":true},"templateVars":{"wire":"template_vars","schema":{"type":"array","items":{"type":"string"}},"required":true},"kwargs":{"schema":{"type":"object","additionalProperties":{"type":"string"}},"required":true},"outputParser":{"wire":"output_parser","schema":{"x-nested":true},"holds":["parse","format","formatMessages"]},"templateVarMappings":{"wire":"template_var_mappings","schema":{"additionalProperties":{"type":"string"},"type":["object","null"]}},"functionMappings":{"wire":"function_mappings","schema":{"x-nested":true}},"defaultTemplate":{"wire":"default_template","schema":{"x-nested":true},"required":true,"holds":["format","formatMessages","getTemplate","partialFormat"]},"conditionals":{"schema":{"x-nested":true}}}}
