/**
 * @module
 * The variable names of a literal template, known to the compiler.
 */

/** A value that has a text form. */
export type TemplateValue = string | number | bigint | boolean

/** The names in braces of a template; doubled braces are text. */
export type NamesIn<Template extends string, Found extends string = never> = Template extends `${infer _}{${infer Rest}`
  ? Rest extends `{${infer After}`
    ? NamesIn<After, Found>
    : Rest extends `${infer Name}}${infer After}`
      ? NamesIn<After, Found | Name>
      : Found
  : Found

/** Names that a caller may use: a mapped name in place of the template's name. */
export type CallerNames<Names extends string, Mappings> = string extends keyof Mappings
  ? Names
  :
      | Exclude<Names, Mappings[keyof Mappings]>
      | ({ [Name in keyof Mappings]: Mappings[Name] extends Names ? Name : never }[keyof Mappings] & string)

/** The variables that a call must give: those of the template by caller name, without stored and computed ones. */
export type RequiredNames<Names extends string, Mappings, Given extends string> = Exclude<
  CallerNames<Names, Mappings>,
  Given
>

/** The variables of a call; open when the template is not known to the compiler. */
export type VariablesOf<Names extends string> = string extends Names
  ? Readonly<Record<string, unknown>>
  : { readonly [Name in Names]: TemplateValue }

/** The arguments of a formatting call: variables may be left out when none is needed. */
export type FormatArguments<Names extends string, Options> = string extends Names
  ? [vars?: Readonly<Record<string, unknown>>, options?: Options]
  : [Names] extends [never]
    ? [vars?: Readonly<Record<string, TemplateValue>>, options?: Options]
    : [vars: VariablesOf<Names>, options?: Options]
