/**
 * The lines of the changelogs, for changesets: what each change says, and nothing else. Which new versions of other packages a package
 * needs is a change of its own, see `dependents.ts`.
 */
import { missingDependents } from './dependents.ts'

export default {
  getReleaseLine({ summary }: { summary: string }): string {
    const [missing] = missingDependents()
    if (missing !== undefined)
      throw new Error(
        `${missing.name} needs the new version of ${missing.needs.join(', ')} and no changeset says so. Run "npm run changeset -- version", which adds it.`,
      )
    return `- ${summary.trim().replaceAll(/\n(?=[^\n])/g, '\n  ')}`
  },
  getDependencyReleaseLine: (): string => '',
}
