import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import NotFound from './NotFound.vue'
import SearchDialog from './SearchDialog.vue'
import './style.css'
import './pages.css'
import TableFilter from './TableFilter.vue'

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, { 'nav-bar-content-before': () => h(SearchDialog), 'not-found': () => h(NotFound) }),
  enhanceApp({ app }: { app: { component(name: string, component: unknown): void } }) {
    app.component('TableFilter', TableFilter)
  },
}
