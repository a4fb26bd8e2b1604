/**
 * @module
 * The rules of ignore files, such as `.gitignore`.
 */

/** The names of the files that contain rules, in the order in which they are read. */
export const IGNORE_FILES: readonly string[] = ['.gitignore', '.ignore']

/** The longest pattern that is read, in characters. */
const LONGEST = 500

interface Rule {
  /** The folder of the file with the rule, with `/` at its end; empty for the root. */
  base: string
  pattern: RegExp
  isNegated: boolean
  onlyFolders: boolean
}

/** Rules of a folder and of the folders above it. */
export class IgnoreRules {
  private readonly rules: readonly Rule[]

  constructor(rules: readonly Rule[] = []) {
    this.rules = rules
  }

  /** Returns these rules with those of a file in the folder `base`. */
  with(base: string, source: string): IgnoreRules {
    const added = source.split(/\r?\n/).flatMap((line) => ruleOf(base === '' ? '' : `${base}/`, line) ?? [])
    return added.length === 0 ? this : new IgnoreRules([...this.rules, ...added])
  }

  /** Whether a file or folder is ignored. The last rule that matches decides. */
  ignores(path: string, isFolder: boolean): boolean {
    const rule = this.rules.findLast(
      ({ base, pattern, onlyFolders }) =>
        (isFolder || !onlyFolders) && path.startsWith(base) && pattern.test(path.slice(base.length)),
    )
    return rule !== undefined && !rule.isNegated
  }
}

function ruleOf(base: string, line: string): Rule | null {
  let text = line.replace(/(?<![\\\s])\s+$/, '')
  if (text === '' || text.startsWith('#') || text.length > LONGEST) return null
  const isNegated = text.startsWith('!')
  if (isNegated) text = text.slice(1)
  const onlyFolders = text.endsWith('/')
  if (onlyFolders) text = text.slice(0, -1)
  // A pattern with a slash is relative to its folder, another one matches at any depth.
  const isRelative = text.includes('/')
  if (text.startsWith('/')) text = text.slice(1)
  try {
    return {
      base,
      pattern: new RegExp(`^${isRelative ? '' : '(?:.*/)?'}${patternOf(text)}$`, 'u'),
      isNegated,
      onlyFolders,
    }
  } catch {
    return null
  }
}

/** `*` and `?` match within a name, `**` matches any folders. Stars in a row count once, so that matching takes little time. */
function patternOf(glob: string): string {
  return glob.replace(
    /(?:\*\*\/){1,50}|\/\*\*$|\*+|\?|\[[^\][/]{1,200}\]|\\(.)|[^*?\\]/gu,
    (part, escaped: string | undefined) => {
      if (part.startsWith('**/')) return '(?:.*/)?'
      if (part === '/**') return '/.*'
      if (part.startsWith('*')) return '[^/]*'
      if (part === '?') return '[^/]'
      if (part.length > 2 && part.startsWith('[')) return part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\')
      return (escaped ?? part).replace(/[$()*+.?[\\\]^{|}/]/u, '\\$&')
    },
  )
}
