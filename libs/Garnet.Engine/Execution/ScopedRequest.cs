// A request that a script or a module makes, and its reply. Used by one thread.
using System.Runtime.InteropServices;
using Garnet.Protocol;

namespace Garnet.Engine.Execution;

/// <summary>The arguments in one piece of memory, and the reply as bytes; memory for both is kept for the next request.</summary>
internal sealed class ScopedRequest
{
    private const int KeptBytes = 64 * 1024;
    private const int FirstBytes = 256;

    private readonly ReplyBuffer _reply = new();
    private readonly List<ArgumentRange> _ranges = [];
    private byte[] _arguments = new byte[FirstBytes];
    private int _used;

    /// <summary>The reply, until the next request.</summary>
    public ReadOnlySpan<byte> Reply => _reply.Written;

    /// <summary>The number of arguments.</summary>
    public int Count => _ranges.Count;

    /// <summary>The arguments' length together.</summary>
    public int Bytes => _used;

    /// <summary>An argument.</summary>
    public ReadOnlySpan<byte> this[int index] => _arguments.AsSpan(_ranges[index].Offset, _ranges[index].Length);

    /// <summary>Begins a request.</summary>
    public void Clear()
    {
        _ranges.Clear();
        _used = 0;
        if (_arguments.Length > KeptBytes)
            _arguments = new byte[FirstBytes];
    }

    /// <summary>Adds an argument.</summary>
    public void Append(ReadOnlySpan<byte> argument)
    {
        if (_used + argument.Length > _arguments.Length)
            Array.Resize(ref _arguments, Math.Max(_arguments.Length * 2, checked(_used + argument.Length)));
        argument.CopyTo(_arguments.AsSpan(_used));
        _ranges.Add(new ArgumentRange(_used, argument.Length));
        _used += argument.Length;
    }

    /// <summary>Puts another argument in the place of one; spans of the arguments stay as they are.</summary>
    public void Replace(int index, ReadOnlySpan<byte> argument)
    {
        Append(argument);
        _ranges[index] = _ranges[^1];
        _ranges.RemoveAt(_ranges.Count - 1);
    }

    /// <summary>Adds an argument before another one, or after the last; spans of the arguments stay as they are.</summary>
    public void Insert(int index, ReadOnlySpan<byte> argument)
    {
        Append(argument);
        ArgumentRange range = _ranges[^1];
        _ranges.RemoveAt(_ranges.Count - 1);
        _ranges.Insert(index, range);
    }

    /// <summary>Takes an argument out.</summary>
    public void RemoveAt(int index) => _ranges.RemoveAt(index);

    /// <summary>Gives a context these arguments.</summary>
    public void LoadInto(ref CommandContext context) => context.Load(_arguments.AsSpan(0, _used), CollectionsMarshal.AsSpan(_ranges));

    /// <summary>A context with these arguments, whose reply replaces the last one.</summary>
    public CommandContext NewContext(CommandScope scope)
    {
        CommandContext context = NewContext(scope.Client, scope.Scratch, scope.Protocol);
        context.SetOrigin(scope.Origin);
        return context;
    }

    /// <summary>The same for a client.</summary>
    public CommandContext NewContext(ClientSession client, ThreadScratch thread, int protocol)
    {
        var context = new CommandContext(client, thread, NewReply(thread, protocol));
        LoadInto(ref context);
        return context;
    }

    /// <summary>Writes a reply that replaces the last one.</summary>
    public RespWriter NewReply(ThreadScratch thread, int protocol)
    {
        _reply.Clear();
        return new RespWriter(_reply, protocol) { ErrorObserver = thread.Counters.Errors };
    }
}
