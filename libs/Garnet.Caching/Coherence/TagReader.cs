// Reads the tokens of tags from the process if its lease runs, else from the server. Thread-safe.
namespace Garnet.Caching.Coherence;

/// <summary>What it answers is as new as the call, or newer.</summary>
internal sealed class TagReader(CacheMembership membership, TimeProvider time)
{
    // Null without a lease.
    private CacheSession? Session => membership.Session is { } session && session.IsLive(time.GetTimestamp()) ? session : null;

    /// <summary>The tokens of tags.</summary>
    public async ValueTask<TagSnapshot> ReadAsync(string[] tags)
    {
        if (Session is not { } session)
            return new TagSnapshot(await membership.FetchTokensAsync(tags).ConfigureAwait(false), [], null);
        TagGeneration[] generations = await session.Tags.GetAsync(tags).ConfigureAwait(false);
        var tokens = new Guid[generations.Length];
        for (int i = 0; i < tokens.Length; i++)
            tokens[i] = await generations[i].Token.ConfigureAwait(false);
        return new TagSnapshot(tokens, generations, session);
    }

    /// <summary>As <see cref="ReadAsync"/> for an entry with these tokens, or null when one of its tags was removed since.</summary>
    public ValueTask<TagSnapshot?> MatchAsync(string[] tags, Guid[] tokens) =>
        Match(tags, tokens) is { } match ? new(match) : MatchLaterAsync(tags, tokens);

    /// <summary>As <see cref="MatchAsync"/>, from the process alone; null also when the server would have to be asked.</summary>
    public TagSnapshot? Match(string[] tags, Guid[] tokens) =>
        Session is { } session && session.Tags.TryMatch(tags, tokens) is { } generations
            ? new TagSnapshot(tokens, generations, session)
            : default(TagSnapshot?);

    private async ValueTask<TagSnapshot?> MatchLaterAsync(string[] tags, Guid[] tokens)
    {
        TagSnapshot now = await ReadAsync(tags).ConfigureAwait(false);
        if (now.Tokens.AsSpan().SequenceEqual(tokens))
            return now;
        if (now.Session is null)
            return null;
        // The server may have lost a token that this instance still has, and others then agreed on another.
        for (int i = 0; i < tags.Length; i++)
        {
            if (now.Tokens[i] != tokens[i])
                now.Session.Tags.End(tags[i]);
        }

        now = await ReadAsync(tags).ConfigureAwait(false);
        return now.Tokens.AsSpan().SequenceEqual(tokens) ? now : null;
    }
}
