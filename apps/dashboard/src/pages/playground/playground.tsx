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
import { useAsked } from './use-asked.ts';
import { useCapture } from './use-capture.ts';

/** Every option to be tried, with the picture and the same request as code beside it. */
export function Playground() {
  const { optionsOf, error, refetch } = useKindOptions();
  const there = optionsOf('screenshot') !== undefined;
  return (
    <>
      <PageHeading
        title="Playground"
        lead="Try every option on a page of your choice, then take the request with you."
      />
      {there ? (
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
  const { asked, setValue, setType } = useAsked(optionsOf);
  const capture = useCapture();
  const faults = faultsOf(capture.error);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!capture.isPending) capture.mutate(asked);
      }}
    >
      <Surface>
        <Source asked={asked} isPending={capture.isPending} faults={faults} setType={setType} setValue={setValue} />
      </Surface>
      <div className={classes.grid}>
        <div className={classes.options}>
          <Surface title="Options">
            <OptionsForm options={optionsOf(asked.type)} values={asked.values} faults={faults} onChange={setValue} />
          </Surface>
        </div>
        <div className={classes.result} aria-live="polite">
          <Result capture={capture} />
        </div>
        <div className={classes.code}>
          <Surface title="The same request">
            <SnippetTabs asked={asked} />
          </Surface>
        </div>
      </div>
    </form>
  );
}

/** What the service says against single options, by name. */
function faultsOf(error: Error | null): Record<string, string> {
  if (!error) return {};
  const { details } = toProblem(error);
  return Object.fromEntries(details.map(({ field, message }) => [field.split('.')[0] ?? '', message]));
}
