/** What the pages of the reference do, in which no program of VitePress runs: search, appearance, menus on a phone, and buttons that copy. */
import { defineSearch } from './.vitepress/theme/site-search.ts'

const root = document.documentElement

defineSearch()

/** The setting of the other pages. */
const isDark = () => root.classList.contains('dark')
const switches = document.querySelectorAll('.VPSwitchAppearance')
const showAppearance = () => {
  root.dataset['theme'] = isDark() ? 'dark' : 'light'
  for (const one of switches) {
    one.ariaChecked = String(isDark())
    one.ariaLabel = isDark() ? 'Switch to light theme' : 'Switch to dark theme'
  }
}
for (const one of switches)
  one.addEventListener('click', () => {
    root.classList.toggle('dark')
    const isSystem = isDark() === matchMedia('(prefers-color-scheme: dark)').matches
    localStorage.setItem('vitepress-theme-appearance', isSystem ? 'auto' : isDark() ? 'dark' : 'light')
    showAppearance()
  })
showAppearance()

/** A button that shows a part of the page on a phone, until something else is chosen. */
function toggles(button: HTMLElement | null, className: string): void {
  const show = (isShown: boolean) => {
    root.classList.toggle(className, isShown)
    if (button) button.ariaExpanded = String(isShown)
  }
  button?.addEventListener('click', (event) => {
    event.stopPropagation()
    show(!root.classList.contains(className))
  })
  addEventListener('click', ({ target }) => {
    const isInside =
      (target as HTMLElement).closest('.VPSidebar, .VPNavBarMenu') && !(target as HTMLElement).closest('a')
    if (!isInside) show(false)
  })
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') show(false)
  })
}
toggles(document.querySelector('.VPNavBarHamburger'), 'shows-menu')
toggles(document.querySelector('.VPLocalNav .menu'), 'shows-names')
document.querySelector('.VPSidebar [aria-current]')?.scrollIntoView({ block: 'center' })
document.querySelector('.VPLocalNavOutlineDropdown button')?.addEventListener('click', () => scrollTo(0, 0))

for (const button of document.querySelectorAll('pre > button'))
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling!.textContent!.trim())
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 1000)
  })
