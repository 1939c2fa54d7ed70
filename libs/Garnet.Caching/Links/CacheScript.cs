// A Lua script of the caches. Immutable; any thread.
using System.Text;
using Garnet.Client;
using Garnet.Server.Scripting;

namespace Garnet.Caching.Links;

/// <summary>Is called by its hash, and by its text when the server does not have it yet.</summary>
internal sealed class CacheScript
{
    private readonly byte[] _text;
    private readonly byte[] _hash = new byte[ScriptHash.TextLength];

    public CacheScript(string text)
    {
        _text = Encoding.UTF8.GetBytes(text);
        ScriptHash.Of(_text).Format(_hash);
    }

    /// <summary>Runs it.</summary>
    /// <exception cref="GarnetCommandException">The script failed.</exception>
    /// <inheritdoc cref="ICacheLink.CallAsync"/>
    public async ValueTask<RespValue> CallAsync(
        ICacheLink link,
        ReadOnlyMemory<byte>[] keys,
        ReadOnlyMemory<byte>[] values,
        CancellationToken cancellationToken = default
    )
    {
        ReadOnlyMemory<byte>[] arguments = [_hash, CacheText.Number(keys.Length), .. keys, .. values];
        try
        {
            return await link.CallAsync("EVALSHA", arguments, cancellationToken).ConfigureAwait(false);
        }
        catch (GarnetCommandException e) when (e.Code == "NOSCRIPT")
        {
            arguments[0] = _text;
            return await link.CallAsync("EVAL", arguments, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>As <see cref="CallAsync"/>, by its text at once, so that it runs before what is called next over the same link.</summary>
    public ValueTask<RespValue> CallWithTextAsync(ICacheLink link, ReadOnlyMemory<byte>[] keys, ReadOnlyMemory<byte>[] values) =>
        link.CallAsync("EVAL", [_text, CacheText.Number(keys.Length), .. keys, .. values]);

    /// <inheritdoc cref="ICacheLink.CallHere"/>
    public RespValue? CallHere(ICacheLink link, ReadOnlyMemory<byte>[] keys, ReadOnlyMemory<byte>[] values)
    {
        ReadOnlyMemory<byte>[] arguments = [_hash, CacheText.Number(keys.Length), .. keys, .. values];
        try
        {
            return link.CallHere("EVALSHA", arguments);
        }
        catch (GarnetCommandException e) when (e.Code == "NOSCRIPT")
        {
            arguments[0] = _text;
            return link.CallHere("EVAL", arguments);
        }
    }
}
