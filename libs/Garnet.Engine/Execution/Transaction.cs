// An open MULTI: copies of the queued commands. Used by the client's thread alone.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Engine.Execution;

/// <summary>
/// Commands queued between MULTI and EXEC; the request buffer is gone by EXEC, so their arguments are stored here: short ones as copies in
/// one array, long ones and those beyond its limit outside of the managed heap, where a value that was received into its own block stays in
/// it. A transaction that is dropped must be <see cref="Release"/>d.
/// </summary>
internal sealed class Transaction
{
    // Memory that a transaction may keep for its next user.
    private const int KeptBytes = 16 * 1024;
    private const int KeptItems = 256;

    // Beyond this, arguments are stored as held arguments, since an array is copied whenever it grows.
    private const int MaxArrayBytes = 256 * 1024;

    private readonly List<QueuedCommand> _commands = [];
    private readonly List<ArgumentRange> _arguments = [];
    private byte[] _bytes = [];
    private int _used;
    private long _argumentBytes;

    /// <summary>True when a command was rejected at queueing, so that EXEC replies EXECABORT.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>Number of queued commands.</summary>
    public int Count => _commands.Count;

    /// <summary>Bytes of the queued arguments.</summary>
    public long ArgumentBytes => _argumentBytes;

    /// <summary>Memory of the queue: copies of the arguments and their index lists (CLIENT LIST multi-mem).</summary>
    public long MemoryBytes =>
        _bytes.Length + (Held?.MemoryBytes ?? 0) + ListBytes(_commands) + ListBytes(_arguments) + ListBytes(Keys) + ListBytes(Positions);

    /// <summary>The database in which the next command to be queued will run.</summary>
    public int Database { get; set; }

    /// <summary>The union of the queued commands' flags.</summary>
    public CommandFlags Flags { get; private set; }

    /// <summary>The union of the flags that queued commands lack: one that may not run during a load stops EXEC.</summary>
    public CommandFlags LackedFlags { get; private set; }

    /// <summary>The gates that EXEC has to ask because of the queued commands.</summary>
    public GateMask Concerns { get; private set; }

    /// <summary>Scratch list for the keys that EXEC latches.</summary>
    internal List<KeyReference> Keys { get; } = [];

    /// <summary>Scratch list for the positions of one command's keys.</summary>
    internal List<KeyPosition> Positions { get; } = [];

    internal ReadOnlySpan<byte> Buffer => _bytes.AsSpan(0, _used);

    /// <summary>The arguments that are not in <see cref="Buffer"/>; null when there are none.</summary>
    internal HeldArguments? Held { get; private set; }

    internal ReadOnlySpan<QueuedCommand> Commands => CollectionsMarshal.AsSpan(_commands);

    /// <summary>Resets it for reuse; false when it holds too much memory to be worth keeping.</summary>
    internal bool TryReset()
    {
        IsBroken = false;
        Flags = CommandFlags.None;
        LackedFlags = CommandFlags.None;
        Concerns = GateMask.None;
        _commands.Clear();
        _arguments.Clear();
        Keys.Clear();
        Positions.Clear();
        Release();
        return _bytes.Length <= KeptBytes
            && _arguments.Capacity <= KeptItems
            && Keys.Capacity <= KeptItems
            && Positions.Capacity <= KeptItems;
    }

    /// <summary>Records that a command was rejected, and discards the others: they will not run.</summary>
    internal void Break()
    {
        IsBroken = true;
        Flags = CommandFlags.None;
        LackedFlags = CommandFlags.None;
        Concerns = GateMask.None;
        _commands.Clear();
        _arguments.Clear();
        _bytes = [];
        Release();
    }

    /// <summary>Frees the arguments' memory; the transaction must not be run any more.</summary>
    internal void Release()
    {
        Held?.Release();
        Held = null;
        _used = 0;
        _argumentBytes = 0;
    }

    /// <summary>Queues the command in the context.</summary>
    internal void Queue(ref CommandContext context)
    {
        int first = _arguments.Count;
        for (int i = 0; i < context.Count; i++)
        {
            ReadOnlySpan<byte> argument = context[i];
            _argumentBytes += argument.Length;
            if (argument.Length >= HeldArguments.BlockBytes || _used + argument.Length > MaxArrayBytes)
            {
                Held ??= new HeldArguments(context.Store.Store);
                _arguments.Add(ArgumentRange.External(context.HoldArgument(i, Held), argument.Length));
                continue;
            }

            Reserve(argument.Length);
            argument.CopyTo(_bytes.AsSpan(_used));
            _arguments.Add(new ArgumentRange(_used, argument.Length));
            _used += argument.Length;
        }

        if (context.Command.Has(CommandTraits.SelectsDatabase))
            Database = SelectedBy(ref context, Database);
        _commands.Add(new QueuedCommand(context.Command, first, context.Count));
        CommandFlags flags = Executor.FlagsOf(ref context);
        Flags |= flags;
        LackedFlags |= ~flags;
        Concerns |= context.Client.Executor.ConcernsOfQueued(context.Command, flags);
    }

    /// <summary>The arguments of a queued command, as ranges of <see cref="Buffer"/>.</summary>
    internal ReadOnlySpan<ArgumentRange> ArgumentsOf(QueuedCommand command) =>
        CollectionsMarshal.AsSpan(_arguments).Slice(command.FirstArgument, command.ArgumentCount);

    /// <summary>The database after a SELECT; one that will fail leaves the database unchanged.</summary>
    internal static int SelectedBy(ref CommandContext context, int database) =>
        IntegerText.TryParse(context[1], out long selected) && selected >= 0 && selected < context.Store.Store.Databases.Count
            ? (int)selected
            : database;

    private static long ListBytes<T>(List<T> list) => (long)list.Capacity * Unsafe.SizeOf<T>();

    private void Reserve(int length)
    {
        if (_used + length > _bytes.Length)
            Array.Resize(ref _bytes, Math.Max(_bytes.Length * 2, _used + length + 64));
    }
}
