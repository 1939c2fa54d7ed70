// IOutputCacheStore on a Garnet, Valkey or Redis server. Thread-safe.
using System.Buffers;
using System.Text;
using Garnet.Caching.Coherence;
using Garnet.Caching.Hybrid;
using Garnet.Caching.Links;
using Garnet.Client;
using Microsoft.AspNetCore.OutputCaching;

namespace Garnet.Caching;

/// <summary>
/// Stores each response as one string that expires, with the tokens that its tags have at that moment. Evicting a tag gives it a new
/// token, so it costs the same however many responses carry the tag, and returns when every instance knows; what was evicted is not served
/// by any call that starts afterwards. Responses that are not valid any more stay in the server until they expire.
/// </summary>
public sealed class GarnetOutputCacheStore : IOutputCacheBufferStore, IAsyncDisposable, IDisposable
{
    private readonly CoherentTags _coherence;
    private readonly byte[] _prefix;

    internal GarnetOutputCacheStore(CoherentTags coherence, string instanceName)
    {
        _coherence = coherence;
        _prefix = Encoding.UTF8.GetBytes(instanceName + "output:");
        coherence.Start();
    }

    /// <summary>For tests.</summary>
    internal CoherentTags Coherence => _coherence;

    /// <inheritdoc/>
    public async ValueTask<byte[]?> GetAsync(string key, CancellationToken cancellationToken) =>
        await FindAsync(key, cancellationToken).ConfigureAwait(false) is { } body ? body.ToArray() : null;

    /// <inheritdoc/>
    public async ValueTask<bool> TryGetAsync(string key, System.IO.Pipelines.PipeWriter destination, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(destination);
        if (await FindAsync(key, cancellationToken).ConfigureAwait(false) is not { } body)
            return false;
        destination.Write(body.Span);
        return true;
    }

    /// <inheritdoc/>
    public ValueTask SetAsync(string key, byte[] value, string[]? tags, TimeSpan validFor, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(value);
        return SetAsync(key, new ReadOnlySequence<byte>(value), tags, validFor, cancellationToken);
    }

    /// <inheritdoc/>
    public async ValueTask SetAsync(
        string key,
        ReadOnlySequence<byte> value,
        ReadOnlyMemory<string> tags,
        TimeSpan validFor,
        CancellationToken cancellationToken
    )
    {
        byte[] storedKey = KeyOf(key);
        long lives = CacheText.Milliseconds(validFor);
        if (lives <= 0)
            return;
        string[] names = [.. tags.ToArray().Distinct(StringComparer.Ordinal)];
        TagSnapshot now = names.Length == 0 ? new TagSnapshot([], [], null) : await _coherence.Tags.ReadAsync(names).ConfigureAwait(false);
        ReadOnlyMemory<byte> body = value.IsSingleSegment ? value.First : value.ToArray();
        byte[] stored = StoredEntry.Encode(isNull: false, default, names, now.Tokens, body.Span);
        await _coherence
            .Link.CallAsync("SET", [storedKey, stored, "PX"u8.ToArray(), CacheText.Number(lives)], cancellationToken)
            .ConfigureAwait(false);
    }

    /// <inheritdoc/>
    /// <exception cref="RespConnectionException">The server could not be reached, or it is not known what it did.</exception>
    public async ValueTask EvictByTagAsync(string tag, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(tag);
        await _coherence.Changes.ChangeAsync([tag], [], [], cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Dispose() => DisposeAsync().AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _coherence.DisposeAsync();

    // What is there and is no response of this version counts as none.
    private async ValueTask<ReadOnlyMemory<byte>?> FindAsync(string key, CancellationToken cancellationToken)
    {
        RespValue stored = await _coherence.Link.CallAsync("GET", [KeyOf(key)], cancellationToken).ConfigureAwait(false);
        if (stored.IsNull || StoredEntry.Read(stored.Bytes) is not { } entry)
            return null;
        bool isValid =
            entry.Tags.Length == 0 || await _coherence.Tags.MatchAsync(entry.Tags, entry.Tokens).ConfigureAwait(false) is not null;
        return isValid ? entry.Payload : default(ReadOnlyMemory<byte>?);
    }

    private byte[] KeyOf(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        return CacheText.Key(_prefix, key);
    }
}
