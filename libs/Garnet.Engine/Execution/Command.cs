// A command descriptor prepared for execution: id, flags including implied ones, resolved subcommands, key positions. Immutable after the
// table is built.
using System.Text;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>A registered command or subcommand.</summary>
internal sealed class Command
{
    private readonly Dictionary<string, Command>? _subcommands;
    private readonly CommandTraits _traits;
    private CommandConcerns _concerns = new();

    internal Command(CommandDescriptor descriptor, Command? parent, ref int nextId, string? newName = null)
    {
        Descriptor = descriptor;
        Parent = parent;
        Id = nextId++;
        FullName = (parent is null ? descriptor.Name : parent.Descriptor.Name + "|" + descriptor.Name).ToLowerInvariant();
        FullNameBytes = Encoding.ASCII.GetBytes(FullName);
        CallName = newName is null ? FullNameBytes : Encoding.ASCII.GetBytes(newName.ToLowerInvariant());
        IsRenamed = newName is not null || parent is { IsRenamed: true };
        Handler = descriptor.Handler;
        Flags = descriptor.Flags | (descriptor.ProtectedBy is null ? 0 : CommandFlags.Protected);
        _traits = descriptor.Traits;
        Categories = descriptor.Categories | OfFlags(descriptor.Flags, descriptor.Categories) | OfGroup(descriptor);
        if (descriptor.Subcommands.Length > 0)
        {
            _subcommands = new Dictionary<string, Command>(StringComparer.OrdinalIgnoreCase);
            foreach (CommandDescriptor sub in HelpReply.SubcommandsOf(descriptor))
                _subcommands.Add(sub.Name, new Command(sub, this, ref nextId));
        }

        HasUnknownKeys = Array.Exists(descriptor.Keys, static spec => spec.IsUnknown);
        if (descriptor.Keys is [{ Keyword: null, IsCounted: false, BeginIndex: > 0 } only])
        {
            SimpleFirstKey = only.BeginIndex;
            HasOneKey = only.LastKey == 0 && (only.Flags & KeySpecFlags.NotKey) == 0;
            IsShort = only.LastKey == 0 && ((Flags & CommandFlags.Fast) != 0 || Has(CommandTraits.Short));
        }
    }

    /// <summary>The descriptor from the command's file.</summary>
    public CommandDescriptor Descriptor { get; }

    /// <summary>The container command, or null.</summary>
    public Command? Parent { get; }

    /// <summary>Index of the command in this server's table, for statistics.</summary>
    public int Id { get; }

    /// <summary>Lower-case name, <c>config|get</c> for a subcommand.</summary>
    public string FullName { get; }

    /// <summary><see cref="FullName"/> in ASCII.</summary>
    public byte[] FullNameBytes { get; }

    /// <summary>The name by which clients call a top-level command, in lower case; empty when they cannot.</summary>
    public byte[] CallName { get; }

    /// <summary>Whether clients call it by another name than its own, or not at all.</summary>
    public bool IsRenamed { get; }

    /// <summary>Whether clients can call it.</summary>
    public bool IsCallable => CallName.Length > 0;

    /// <summary>Executes the command; null for a container that requires a subcommand, and before commands have their parts.</summary>
    public CommandHandler? Handler { get; private set; }

    /// <summary>Behaviour flags.</summary>
    public CommandFlags Flags { get; }

    /// <summary>ACL categories including those implied by the flags.</summary>
    public AclCategories Categories { get; }

    /// <summary>Argument index of the first key when a single plain range specifies the keys, else 0; used by the prefetch.</summary>
    public int SimpleFirstKey { get; }

    /// <summary>True when <see cref="SimpleFirstKey"/> is its only key.</summary>
    public bool HasOneKey { get; }

    /// <summary>True when it may access keys that no specification covers, whether or not its other keys are known.</summary>
    public bool HasUnknownKeys { get; }

    /// <summary>True for a command on one key with constant or logarithmic time, so that all its calls take similar time.</summary>
    public bool IsShort { get; }

    /// <summary>True for EXEC, which acts with the flags of the queued commands.</summary>
    public bool IsExec => Has(CommandTraits.RunsTransaction);

    /// <summary>The flags of a call, if they may be others than <see cref="Flags"/>: of a command that runs a script or function.</summary>
    public CommandFlagsOfCall? FlagsOfCall { get; private set; }

    /// <summary>The gates that have to do with the command.</summary>
    public ref CommandConcerns Concerns => ref _concerns;

    /// <summary>True for a write command.</summary>
    public bool IsWrite => (Flags & CommandFlags.Write) != 0;

    /// <summary>Subcommands by name (any case), or empty.</summary>
    public IReadOnlyCollection<Command> Subcommands => _subcommands is null ? [] : _subcommands.Values;

    /// <summary>Whether the command has subcommands.</summary>
    public bool IsContainer => _subcommands is not null;

    /// <summary>Whether the descriptor has a trait.</summary>
    public bool Has(CommandTraits trait) => (_traits & trait) != 0;

    /// <summary>Gives the command and its subcommands the parts of the server that they need. Before the first call.</summary>
    public void Bind(CommandParts parts)
    {
        Handler ??= Descriptor.MakeHandler?.Invoke(parts);
        FlagsOfCall ??= Descriptor.MakeFlags?.Invoke(parts);
        foreach (Command sub in Subcommands)
            sub.Bind(parts);
    }

    /// <summary>Checks the argument count, including the name.</summary>
    public bool AcceptsArgumentCount(int count) => Descriptor.Arity >= 0 ? count == Descriptor.Arity : count >= -Descriptor.Arity;

    /// <summary>Finds a subcommand by name in any case; null when there is none.</summary>
    public Command? FindSubcommand(ReadOnlySpan<byte> name)
    {
        name = ArgumentText.UpToZero(name);
        if (_subcommands is null || name.Length > 64)
            return null;
        Span<char> text = stackalloc char[name.Length];
        Encoding.Latin1.GetChars(name, text);
        return _subcommands.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(text, out Command? found) ? found : null;
    }

    private static AclCategories OfFlags(CommandFlags flags, AclCategories given)
    {
        AclCategories implied = AclCategories.None;
        if ((flags & CommandFlags.Write) != 0)
            implied |= AclCategories.Write;
        if ((flags & CommandFlags.ReadOnly) != 0 && (given & AclCategories.Scripting) == 0)
            implied |= AclCategories.Read;
        if ((flags & CommandFlags.Admin) != 0)
            implied |= AclCategories.Admin | AclCategories.Dangerous;
        if ((flags & CommandFlags.PubSub) != 0)
            implied |= AclCategories.PubSub;
        if ((flags & CommandFlags.Blocking) != 0)
            implied |= AclCategories.Blocking;
        return implied | ((flags & CommandFlags.Fast) != 0 ? AclCategories.Fast : AclCategories.Slow);
    }

    // As in Valkey, a container such as CLIENT is in no category of its group, but its subcommands are.
    private static AclCategories OfGroup(CommandDescriptor descriptor) =>
        descriptor.Subcommands.Length > 0
            ? AclCategories.None
            : descriptor.Group switch
            {
                CommandGroup.String => AclCategories.String,
                CommandGroup.List => AclCategories.List,
                CommandGroup.Set => AclCategories.Set,
                CommandGroup.SortedSet => AclCategories.SortedSet,
                CommandGroup.Hash => AclCategories.Hash,
                CommandGroup.Bitmap => AclCategories.Bitmap,
                CommandGroup.HyperLogLog => AclCategories.HyperLogLog,
                CommandGroup.Geo => AclCategories.Geo,
                CommandGroup.Stream => AclCategories.Stream,
                CommandGroup.Transactions => AclCategories.Transaction,
                CommandGroup.Connection => AclCategories.Connection,
                _ => AclCategories.None,
            };
}
