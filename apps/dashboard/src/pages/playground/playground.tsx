import { toProblem } from '../../api/problem.ts';
import type { CaptureType } from '../../api/responses.ts';
import type { OptionSchema } from '../../api/service.ts';
import { useKindOptions } from '../../captures/kinds.ts';
import { OptionsForm } from '../../options/options-form.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import classes from './playground.module.css';
import { Result } from './result.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';
import { Source } from './source.tsx';
import { useCapture } from './use-capture.ts';
import { useFormState } from './use-form-state.ts';

/** A form with every option, the result, and the request as code. */
export function Playground() {
  const { optionsOf, error, refetch } = useKindOptions();
  const isLoaded = optionsOf('screenshot') !== undefined;
  return (
    <>
      <PageHeading title="Playground" lead="Try every option, then copy the request as code." />
      {isLoaded ? (
        <Form optionsOf={(type) => optionsOf(type) ?? {}} />
      ) : error ? (
        <ProblemNote error={error} retry={() => void refetch()} />
      ) : (
        <Waiting what="Loading the options" />
      )}
    </>
  );
}

function Form({ optionsOf }: { optionsOf: (type: CaptureType) => Record<string, OptionSchema> }) {
  const { form, setValue, setType } = useFormState(optionsOf);
  const capture = useCapture();
  const faults = faultsOf(capture.error);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!capture.isPending) capture.mutate(form);
      }}
    >
      <Surface>
        <Source form={form} isPending={capture.isPending} faults={faults} setType={setType} setValue={setValue} />
      </Surface>
      <div className={classes.grid}>
        <div className={classes.options}>
          <Surface title="Options">
            <OptionsForm options={optionsOf(form.type)} values={form.values} faults={faults} onChange={setValue} />
          </Surface>
        </div>
        <div className={classes.result} aria-live="polite">
          <Result capture={capture} />
        </div>
        <div className={classes.code}>
          <Surface title="Request as code">
            <SnippetTabs form={form} />
          </Surface>
        </div>
      </div>
    </form>
  );
}

/** The service's errors about options, by name. */
function faultsOf(error: Error | null): Record<string, string> {
  if (!error) return {};
  const { details } = toProblem(error);
  return Object.fromEntries(details.map(({ field, message }) => [field.split('.')[0] ?? '', message]));
}
