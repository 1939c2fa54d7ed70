// An open MULTI: copies of the queued commands. Used by the client's thread alone.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Garnet.Protocol;
using Garnet.Server.Commands;
using Garnet.Store;

namespace Garnet.Server.Transactions;

/// <summary>Commands queued between MULTI and EXEC; the request buffer is gone by EXEC, so their arguments are copied here.</summary>
public sealed class Transaction
{
    // What a transaction may keep for the next one that uses it.
    private const int KeptBytes = 16 * 1024;
    private const int KeptItems = 256;

    private readonly List<QueuedCommand> commands = [];
    private readonly List<ArgumentRange> arguments = [];
    private byte[] bytes = [];
    private int used;

    /// <summary>True when a command was refused at queueing, so that EXEC answers EXECABORT.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>Number of queued commands.</summary>
    public int Count => commands.Count;

    /// <summary>Bytes of the queued arguments.</summary>
    public int ArgumentBytes => used;

    /// <summary>Bytes held for the queue: copies of the arguments and the lists that find them (CLIENT LIST multi-mem).</summary>
    public long MemoryBytes => bytes.Length + ListBytes(commands) + ListBytes(arguments) + ListBytes(Keys) + ListBytes(Positions);

    /// <summary>The flags that any queued command has.</summary>
    public CommandFlags Flags { get; private set; }

    /// <summary>Room for the keys that EXEC latches.</summary>
    internal List<KeyReference> Keys { get; } = [];

    /// <summary>Room for the positions of one command's keys.</summary>
    internal List<KeyPosition> Positions { get; } = [];

    internal ReadOnlySpan<byte> Buffer => bytes.AsSpan(0, used);

    internal ReadOnlySpan<QueuedCommand> Commands => CollectionsMarshal.AsSpan(commands);

    /// <summary>Makes it as new; false when it holds so much memory that it is not worth keeping.</summary>
    internal bool TryReset()
    {
        IsBroken = false;
        Flags = CommandFlags.None;
        commands.Clear();
        arguments.Clear();
        Keys.Clear();
        Positions.Clear();
        used = 0;
        return bytes.Length <= KeptBytes && arguments.Capacity <= KeptItems && Keys.Capacity <= KeptItems && Positions.Capacity <= KeptItems;
    }

    /// <summary>Notes that a command was refused, and forgets the others: they will not run.</summary>
    internal void Break()
    {
        IsBroken = true;
        Flags = CommandFlags.None;
        commands.Clear();
        arguments.Clear();
        bytes = [];
        used = 0;
    }

    /// <summary>Queues the command in the context.</summary>
    internal void Queue(ref CommandContext context)
    {
        int first = arguments.Count;
        Reserve(context.ArgumentBytes);
        for (int i = 0; i < context.Count; i++)
        {
            ReadOnlySpan<byte> argument = context[i];
            argument.CopyTo(bytes.AsSpan(used));
            arguments.Add(new ArgumentRange(used, argument.Length));
            used += argument.Length;
        }

        commands.Add(new QueuedCommand(context.Command, first, context.Count));
        Flags |= context.Command.Flags;
    }

    /// <summary>The arguments of a queued command, as ranges of <see cref="Buffer"/>.</summary>
    internal ReadOnlySpan<ArgumentRange> ArgumentsOf(QueuedCommand command) =>
        CollectionsMarshal.AsSpan(arguments).Slice(command.FirstArgument, command.ArgumentCount);

    private static long ListBytes<T>(List<T> list) => (long)list.Capacity * Unsafe.SizeOf<T>();

    private void Reserve(long length)
    {
        long needed = used + length;
        if (needed > bytes.Length)
            Array.Resize(ref bytes, (int)Math.Max(Math.Min(bytes.Length * 2L, Array.MaxLength), checked((int)(needed + 64))));
    }
}
