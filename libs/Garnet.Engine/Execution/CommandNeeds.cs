// The properties of a command by which gates decide whether it concerns them. Immutable.
using Garnet.Engine.Requests;

namespace Garnet.Engine.Execution;

/// <summary>Of a command, or of what a script declares.</summary>
/// <param name="Flags">Its flags.</param>
/// <param name="Traits">Its traits; none for a command that EXEC will run.</param>
/// <param name="Command">The command.</param>
internal readonly record struct CommandNeeds(CommandFlags Flags, CommandTraits Traits, Command Command)
{
    /// <summary>Whether it writes.</summary>
    public bool Writes => (Flags & CommandFlags.Write) != 0;

    /// <summary>Whether it may have effects: it writes, or may be replicated otherwise.</summary>
    public bool MayHaveEffects => (Flags & (CommandFlags.Write | CommandFlags.MayReplicate)) != 0;

    /// <summary>Whether it has a flag.</summary>
    public bool Has(CommandFlags flag) => (Flags & flag) != 0;

    /// <summary>Whether it has a trait.</summary>
    public bool Has(CommandTraits trait) => (Traits & trait) != 0;
}
