import type { Packages } from '@capture/testing/install-packages';

/**
 * The npm packages whose files pages load from `/lib/<package>/<file>`, by exact version. They are installed outside of
 * the repository on first use.
 */
export const libraries: Packages = {};
