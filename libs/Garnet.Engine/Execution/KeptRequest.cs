// The arguments of a request whose command is executed again later. One thread at a time.
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Engine.Execution;

/// <summary>A copy of the arguments: as they were sent, and as they are to be executed.</summary>
internal struct KeptRequest
{
    // Requests from this size on are stored outside of the managed heap.
    private const int HeldFromBytes = 64 * 1024;

    private readonly HeldArguments? _held; // for a large request; the arguments of others are in the array
    private readonly ArgumentRange[] _sent;
    private ArgumentRange[] _executed;
    private byte[] _bytes = [];
    private int _usedBytes;

    /// <summary>Copies the request of a context, or takes its memory over if it is large.</summary>
    public KeptRequest(in CommandContext context)
    {
        _sent = _executed = new ArgumentRange[context.Count];
        if (context.ArgumentBytes >= HeldFromBytes)
            _held = context.TakeArguments(_sent);
        else
            Copy(in context);
    }

    /// <summary>Replaces an argument of the request to be executed.</summary>
    public void SetArgument(int index, ReadOnlySpan<byte> value)
    {
        if (_executed == _sent)
            _executed = [.. _sent];
        if (_held is not null)
        {
            _executed[index] = ArgumentRange.External(_held.Keep(value), value.Length);
            return;
        }

        // The request is short, and so is the replacement.
        int start = _usedBytes;
        _usedBytes += value.Length;
        if (_usedBytes > _bytes.Length)
            Array.Resize(ref _bytes, Math.Max(_usedBytes, _bytes.Length * 2));
        value.CopyTo(_bytes.AsSpan(start));
        _executed[index] = new ArgumentRange(start, value.Length);
    }

    /// <summary>Gives a context the arguments to be executed.</summary>
    public readonly void LoadInto(ref CommandContext context) => context.Load(_bytes, _executed, _held);

    /// <summary>Gives a context the arguments as they were sent.</summary>
    public readonly void LoadSentInto(ref CommandContext context) => context.Load(_bytes, _sent, _held);

    /// <summary>Gives back the memory that was taken over.</summary>
    public readonly void Release() => _held?.Release();

    private void Copy(in CommandContext context)
    {
        _bytes = new byte[context.ArgumentBytes];
        for (int i = 0; i < _sent.Length; i++)
        {
            context[i].CopyTo(_bytes.AsSpan(_usedBytes));
            _sent[i] = new ArgumentRange(_usedBytes, context[i].Length);
            _usedBytes += context[i].Length;
        }
    }
}
