// The current generations of tags, as far as an instance has met them. Thread-safe.
namespace Garnet.Caching.Coherence;

/// <summary>
/// A generation is in the table from before its token is asked for, so that a removal which is announced meanwhile finds and ends it.
/// </summary>
/// <param name="fetch">Asks the server for the tokens of tags, in their order.</param>
internal sealed class TagTable(Func<IReadOnlyList<string>, Task<Guid[]>> fetch)
{
    // Entries refer to generations, so forgetting one must end it; far more tags than this are a mistake or an attack.
    private const int MaxTags = 100_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, TagGeneration> _current = new(StringComparer.Ordinal);

    /// <summary>The generations of tags, with their tokens.</summary>
    public async ValueTask<TagGeneration[]> GetAsync(string[] tags)
    {
        TagGeneration[] found = Find(tags, out List<TagGeneration>? added);
        if (added is not null)
            await FetchAsync(added).ConfigureAwait(false);
        foreach (TagGeneration generation in found)
            await generation.Token.ConfigureAwait(false);
        return found;
    }

    /// <summary>The generations of tags if all are known and have these tokens; else null.</summary>
    public TagGeneration[]? TryMatch(string[] tags, Guid[] tokens)
    {
        var found = new TagGeneration[tags.Length];
        lock (_gate)
        {
            for (int i = 0; i < tags.Length; i++)
            {
                if (!_current.TryGetValue(tags[i], out TagGeneration? generation) || !generation.Has(tokens[i]))
                    return null;
                found[i] = generation;
            }
        }

        return found;
    }

    /// <summary>Ends the generation of a tag; the next call of <see cref="GetAsync"/> asks for a new one.</summary>
    public void End(string tag)
    {
        lock (_gate)
        {
            if (_current.Remove(tag, out TagGeneration? generation))
                generation.End();
        }
    }

    /// <summary>Ends all.</summary>
    public void EndAll()
    {
        lock (_gate)
        {
            foreach (TagGeneration generation in _current.Values)
                generation.End();
            _current.Clear();
        }
    }

    private TagGeneration[] Find(string[] tags, out List<TagGeneration>? added)
    {
        added = null;
        var found = new TagGeneration[tags.Length];
        lock (_gate)
        {
            if (_current.Count >= MaxTags)
                EndAll();
            for (int i = 0; i < tags.Length; i++)
            {
                if (!_current.TryGetValue(tags[i], out TagGeneration? generation))
                {
                    generation = new TagGeneration(tags[i]);
                    _current.Add(tags[i], generation);
                    (added ??= []).Add(generation);
                }

                found[i] = generation;
            }
        }

        return found;
    }

    // Others may wait for the same answer, so that no caller's cancellation ends it, and its failure is theirs, too.
    private async Task FetchAsync(List<TagGeneration> added)
    {
        try
        {
            Guid[] tokens = await fetch([.. added.Select(static generation => generation.Tag)]).ConfigureAwait(false);
            for (int i = 0; i < tokens.Length; i++)
                added[i].SetToken(tokens[i]);
        }
        catch (Exception e)
        {
            foreach (TagGeneration generation in added)
            {
                Forget(generation);
                generation.Fail(e);
            }

            throw;
        }
    }

    private void Forget(TagGeneration generation)
    {
        lock (_gate)
        {
            if (_current.TryGetValue(generation.Tag, out TagGeneration? current) && current == generation)
                _current.Remove(generation.Tag);
        }
    }
}
