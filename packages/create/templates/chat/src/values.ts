/** Arguments and results of calls, as people read and write them. */

/** A name such as `look_up_price` as words. */
export const words = (name: string) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')
export const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
export const entries = (value: unknown) => Object.entries(Object(value)).filter(([, item]) => item !== '')
export const values = (value: unknown) => entries(value).map(([, item]) => shown(item))

/** The arguments with what the form has changed: texts and numbers. */
export const inputOf = (input: object, form: FormData) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const given = form.get(`input ${name}`)
      return [name, given === null ? value : typeof value === 'number' ? Number(given) : String(given)]
    }),
  )
