import { pageRequest } from '@capture/contract/api/paging';
import { presetBody, presetRecord } from '@capture/contract/api/preset-requests';
import { pageOfRows } from '@capture/contract/api/responses';
import { ApiError, invalidRequest } from '@capture/contract/errors';
import { parseRequest } from '@capture/contract/options/parse-request';
import { presetName, presetReference, splitReference } from '@capture/contract/options/preset-name';
import { checkPresetOptions } from '@capture/contract/options/preset-options';
import { databaseNow } from '@capture/database/database-clock';
import {
  deletePreset,
  findPreset,
  listPresets,
  presetsAtMost,
  putPreset,
  type StoredPreset,
} from '@capture/database/presets/presets';
import { pageOf, parsePage, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import type { PresetDependencies } from '../../presets/find-presets.ts';

const noSuchPreset = () => new ApiError('NOT_FOUND', 'This account has no preset with this name or version.');

const show = ({ name, version, options, createdAt }: StoredPreset) => ({
  name,
  version,
  options,
  created_at: createdAt.toISOString(),
});

export function presetRoutes(dependencies: PresetDependencies): Route[] {
  return [
    putPresetRoute(dependencies),
    listPresetsRoute(dependencies),
    getPresetRoute(dependencies),
    deletePresetRoute(dependencies),
  ];
}

function putPresetRoute({ database, encryptor }: PresetDependencies): Route {
  return {
    method: 'PUT',
    path: '/api/v1/presets/:name',
    auth: 'key',
    cost: 'none',
    id: 'putPreset',
    tag: 'Presets',
    summary: 'Store a preset',
    description: `Creates a preset, or its next version. Requests that name a version keep using that one; the newest 50 are kept. The name has 1 to 64 characters: \`a\` to \`z\`, digits, \`-\` and \`_\`. An account has at most ${presetsAtMost} presets.`,
    body: {
      schema: presetBody,
      example: { options: { width: 1_440, full_page: true, block_ads: true } },
      required: true,
    },
    responses: { 200: { description: 'The stored version.', json: presetRecord } },
    errors: ['FORBIDDEN'],
    async handle({ req, res, caller }) {
      const name = pathParameter(req, 'name');
      if (!presetName.test(name)) {
        const message = 'must be 1 to 64 characters: a to z, digits, - and _, with a letter or digit first';
        throw invalidRequest([{ field: 'name', message, ...(name.length <= 64 && { value: name }) }]);
      }
      parseRequest(presetBody, req.body, 'a preset');
      // The schema's copy lacks names that it cannot hold, such as `__proto__`, but such names are errors too.
      const { options } = req.body as { options: Record<string, unknown> };
      checkPresetOptions(options);
      const preset = { accountId: caller.accountId, name, options, createdAt: databaseNow() };
      const stored = await putPreset(database, encryptor, preset);
      if (!stored) {
        throw new ApiError('FORBIDDEN', `An account has at most ${presetsAtMost} presets. Delete one first.`);
      }
      res.json(show(stored));
    },
  };
}

function listPresetsRoute({ database }: PresetDependencies): Route {
  return {
    method: 'GET',
    path: '/api/v1/presets',
    auth: 'key',
    cost: 'none',
    id: 'listPresets',
    tag: 'Presets',
    summary: 'List presets',
    description: 'The newest version of each, last changed first.',
    query: pageRequest('pre'),
    responses: {
      200: { description: 'A page of the account’s presets.', json: pageOfRows('presets', presetRecord) },
    },
    async handle({ req, res, caller }) {
      const { limit, after } = parsePage(req, 'pre');
      const found = await listPresets(database, { accountId: caller.accountId, after, limit: limit + 1 });
      res.json(pageOf('presets', found, limit, show));
    },
  };
}

function getPresetRoute({ database }: PresetDependencies): Route {
  return {
    method: 'GET',
    path: '/api/v1/presets/:name',
    auth: 'key',
    cost: 'none',
    id: 'getPreset',
    tag: 'Presets',
    summary: 'Get a preset',
    description: 'The newest version, or with a name such as `shop@3` that version.',
    responses: { 200: { description: 'The preset.', json: presetRecord } },
    async handle({ req, res, caller }) {
      const reference = pathParameter(req, 'name');
      const preset = presetReference.test(reference)
        ? await findPreset(database, { accountId: caller.accountId, ...splitReference(reference) })
        : null;
      if (!preset) throw noSuchPreset();
      res.json(show(preset));
    },
  };
}

function deletePresetRoute({ database }: PresetDependencies): Route {
  return {
    method: 'DELETE',
    path: '/api/v1/presets/:name',
    auth: 'key',
    cost: 'none',
    id: 'deletePreset',
    tag: 'Presets',
    summary: 'Delete a preset',
    description:
      'Deletes all its versions: requests that name it are refused from then on. Captures keep the options they were taken with. A new preset of this name continues the count of versions.',
    responses: { 204: { description: 'Deleted.' } },
    async handle({ req, res, caller }) {
      const name = pathParameter(req, 'name');
      if (!(await deletePreset(database, { accountId: caller.accountId, name }))) throw noSuchPreset();
      res.status(204).end();
    },
  };
}
