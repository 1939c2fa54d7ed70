// The decrypted side of a TLS connection, for writing. One caller at a time; a flush from another thread hops to the owner.
using System.Diagnostics;
using System.IO.Pipelines;
using System.Net.Security;
using Garnet.Network.Buffers;
using Garnet.Network.Connections;
using Garnet.Network.Features;

namespace Garnet.Network.Tls;

/// <summary>
/// Collects a batch in blocks of one record each and encrypts them at the flush, which never waits for the peer. A large value is encrypted
/// in place: only its parts that fill the preceding record and begin the following one are copied, so that framing needs no extra records.
/// </summary>
internal sealed class TlsWriter(SslStream stream, CipherStream cipher, StreamConnection connection, int writeBytes)
    : PipeWriter,
        IReferencedSend
{
    private Block? _first;
    private Block? _last;
    private Block? _open;
    private int _used;
    private long _unflushed;

    public override bool CanGetUnflushedBytes => true;

    public override long UnflushedBytes => _unflushed;

    public override unsafe Span<byte> GetSpan(int sizeHint = 0)
    {
        Block open = Open(sizeHint);
        return new Span<byte>(open.Pointer + _used, open.Capacity - _used);
    }

    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        Block open = Open(sizeHint);
        return open.Slice(_used, open.Capacity - _used);
    }

    public override void Advance(int bytes)
    {
        if (bytes == 0)
            return;
        if (_open is null || (uint)bytes > (uint)(_open.Capacity - _used))
            throw new ArgumentOutOfRangeException(nameof(bytes));
        _used += bytes;
        _unflushed += bytes;
    }

    public unsafe void SendReferenced(nint block, long length, ISendOwner owner, nint token)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, int.MaxValue);
        _unflushed += length;
        var value = new ReadOnlySpan<byte>((void*)block, (int)length);
        if (_open is not null && _used > 0)
        {
            int room = Math.Min(_open.Capacity - _used, value.Length);
            Append(value[..room]);
            value = value[room..];
            block += room;
        }

        int whole = value.Length - (value.Length % writeBytes);
        if (whole == 0)
        {
            Append(value);
            owner.Release(token);
            return;
        }

        CloseBlock();
        Block reference = BlockPool.RentReference();
        reference.Refer(block, whole, owner, token);
        Link(reference);
        Append(value[whole..]);
    }

    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (!connection.IsOnOwnerThread)
            return FlushElsewhereAsync();
        ValueTask encrypting = EncryptAsync();
        return encrypting.IsCompletedSuccessfully ? cipher.SendAsync() : SendAfterAsync(encrypting);
    }

    /// <summary>Nothing to do: no flush waits for the peer.</summary>
    public override void CancelPendingFlush() { }

    /// <summary>Nothing to do: the connection's end sends what was flushed and drops the rest.</summary>
    public override void Complete(Exception? exception = null) { }

    /// <summary>Releases what was never flushed.</summary>
    internal void End()
    {
        CloseBlock();
        while (_first is { } block)
        {
            _first = block.Next;
            BlockPool.ReleaseSent(block);
        }

        _last = null;
        _unflushed = 0;
    }

    private async ValueTask<FlushResult> FlushElsewhereAsync()
    {
        await new OwnerSwitch(connection);
        return await FlushAsync().ConfigureAwait(false);
    }

    private async ValueTask<FlushResult> SendAfterAsync(ValueTask encrypting)
    {
        await encrypting.ConfigureAwait(false);
        return await cipher.SendAsync().ConfigureAwait(false);
    }

    // Encrypting completes at once, because the stream below only buffers; it waits only while the system's TLS is in the middle of its own
    // exchange.
    private ValueTask EncryptAsync()
    {
        CloseBlock();
        _unflushed = 0;
        while (_first is { } block)
        {
            ValueTask write = WriteAsync(block);
            if (!write.IsCompletedSuccessfully)
                return EncryptRestAsync(write);
            Unlink(block);
        }

        return default;
    }

    private async ValueTask EncryptRestAsync(ValueTask write)
    {
        await write.ConfigureAwait(false);
        Unlink(_first!);
        await EncryptAsync().ConfigureAwait(false);
    }

    private ValueTask WriteAsync(Block block)
    {
        int length = (int)(block.End - block.Start);
        return length <= writeBytes ? stream.WriteAsync(block.Slice((int)block.Start, length)) : WritePiecesAsync(block);
    }

    private async ValueTask WritePiecesAsync(Block block)
    {
        for (int at = (int)block.Start; at < block.End; at += writeBytes)
            await stream.WriteAsync(block.Slice(at, (int)Math.Min(writeBytes, block.End - at))).ConfigureAwait(false);
    }

    private void Unlink(Block block)
    {
        _first = block.Next;
        if (_first is null)
            _last = null;
        BlockPool.ReleaseSent(block);
    }

    private unsafe void Append(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            Block open = Open(1);
            int piece = Math.Min(bytes.Length, open.Capacity - _used);
            bytes[..piece].CopyTo(new Span<byte>(open.Pointer + _used, piece));
            _used += piece;
            bytes = bytes[piece..];
        }
    }

    private Block Open(int sizeHint)
    {
        int bytes = Math.Max(sizeHint, 1);
        if (_open is { } open && open.Capacity - _used >= bytes)
            return open;
        CloseBlock();
        Block block = connection.Blocks.Rent(Math.Max(bytes, writeBytes));
        Link(block);
        _open = block;
        _used = 0;
        return block;
    }

    private void CloseBlock()
    {
        if (_open is null)
            return;
        Debug.Assert(_open == _last);
        _open.End = _used;
        _open = null;
    }

    private void Link(Block block)
    {
        if (_first is null)
            _first = block;
        else
            _last!.Next = block;
        _last = block;
    }
}
