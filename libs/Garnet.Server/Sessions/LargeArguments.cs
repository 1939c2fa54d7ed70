// Large arguments of one unfinished request, received straight into the blocks they will be stored in. Used by the session's thread.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Sessions;

/// <summary>
/// Keeps what a request looks like around its large arguments (the bytes before each payload) and the blocks that took the payloads,
/// until the request is complete and executed. Lent to a session only while such a request is under way.
/// </summary>
internal sealed class LargeArguments : IExternalArguments
{
    // What a prefix takes as a rule is kept for the next request; a longer one is not.
    private const int KeptPrefixBytes = 1024;
    private readonly List<Entry> entries = [];
    private byte[] prefix = [];
    private int prefixLength;

    /// <summary>The request's bytes so far, payloads of large arguments left out; what is received next belongs behind them.</summary>
    public ReadOnlySpan<byte> Prefix => prefix.AsSpan(0, prefixLength);

    /// <summary>Bytes of payloads received.</summary>
    public long Bytes { get; private set; }

    /// <summary>Takes the pending argument: keeps the bytes before its payload, and gives the block that the payload goes into with what of it is there.</summary>
    /// <param name="store">Makes the block.</param>
    /// <param name="request">The unfinished request from its first byte to the end of what was received.</param>
    /// <param name="pending">The argument; its offset is relative to the request.</param>
    public ValueBlock Take(HybridLogStore store, ReadOnlySpan<byte> request, PendingBulk pending)
    {
        KeepPrefix(request[..pending.PayloadOffset]);
        ValueBlock filling = ValueBlock.Allocate(store, pending.Length);
        request.Slice(pending.PayloadOffset, pending.BytesPresent).CopyTo(filling.Span);
        entries.Add(new Entry(pending.ArgumentIndex, pending.PayloadOffset, filling));
        Bytes += pending.Length;
        return filling;
    }

    /// <inheritdoc/>
    public ReadOnlySpan<byte> GetArgument(int tableIndex)
    {
        // The request with large arguments is the first of its batch, so indexes in the table are indexes in the request.
        foreach (Entry entry in entries)
        {
            if (entry.Argument == tableIndex)
                return entry.Block.Span;
        }

        throw new ArgumentOutOfRangeException(nameof(tableIndex));
    }

    /// <summary>Hands the block of an argument over to the caller, who then owns its reference; this keeps one of its own, so the bytes stay readable until the command ends.</summary>
    public bool TryShare(int argument, out ValueBlock block)
    {
        foreach (Entry entry in entries)
        {
            if (entry.Argument == argument)
            {
                block = entry.Block;
                block.AddReference();
                return true;
            }
        }

        block = default;
        return false;
    }

    /// <summary>Puts the payloads back into the prefix, so that the request can be parsed as if all of it had been received ordinarily.</summary>
    public void Inline()
    {
        byte[] whole = new byte[checked(prefixLength + (int)Bytes)];
        int from = 0, to = 0;
        foreach (Entry entry in entries)
        {
            prefix.AsSpan(from, entry.PrefixOffset - from).CopyTo(whole.AsSpan(to));
            to += entry.PrefixOffset - from;
            from = entry.PrefixOffset;
            entry.Block.Span.CopyTo(whole.AsSpan(to));
            to += entry.Block.Length;
        }

        Prefix[from..].CopyTo(whole.AsSpan(to));
        Release();
        (prefix, prefixLength) = (whole, whole.Length);
    }

    /// <summary>Gives all blocks back; those that were shared live on with their new owners.</summary>
    public void Release()
    {
        foreach (Entry entry in entries)
            entry.Block.Release();
        entries.Clear();
        prefixLength = 0;
        Bytes = 0;
        if (prefix.Length > KeptPrefixBytes)
            prefix = [];
    }

    // What is given begins with what is kept, wherever it lies.
    private void KeepPrefix(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > prefix.Length)
            prefix = new byte[Math.Max(bytes.Length, KeptPrefixBytes / 4)];
        bytes.CopyTo(prefix);
        prefixLength = bytes.Length;
    }

    private readonly record struct Entry(int Argument, int PrefixOffset, ValueBlock Block);
}
