// Marks a method that is a command. Immutable.
namespace Garnet.Modules;

/// <summary>
/// Makes a method of a module a command. The number of arguments, the positions of the keys, the documentation and the errors for wrong
/// arguments follow from the parameters: first <c>ref ModuleContext</c>; then the required arguments in the order in which clients send
/// them, of type <c>ReadOnlySpan&lt;byte&gt;</c>, <c>long</c>, <c>int</c>, <c>double</c> or, with <see cref="KeyAttribute"/>, a key; then
/// at most one <see cref="ArgumentList"/> of those that follow, or parameters with <see cref="OptionAttribute"/> and a default value.
/// The method returns nothing, writes exactly one reply, may be static, and is public or internal.
/// </summary>
/// <param name="name">
/// The command's name in upper case, at most 32 characters, by convention with a prefix of the module: <c>LIM.TAKE</c>.
/// </param>
/// <param name="flags">What the server must know of it. A command with keys reads or writes.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class CommandAttribute(string name, CommandFlags flags = CommandFlags.None) : Attribute
{
    /// <summary>The name.</summary>
    public string Name { get; } = name;

    /// <summary>The flags.</summary>
    public CommandFlags Flags { get; } = flags;

    /// <summary>Which commands it calls; none unless set.</summary>
    public CommandCalls Calls { get; init; }

    /// <summary>
    /// Categories of access control besides those that the flags imply and that of the module's name, separated by commas:
    /// <c>hash,dangerous</c>.
    /// </summary>
    public string? Categories { get; init; }

    /// <summary>One sentence for COMMAND DOCS.</summary>
    public string? Summary { get; init; }

    /// <summary>The version of the module that introduced the command, for COMMAND DOCS.</summary>
    public string Since { get; init; } = "1.0.0";
}
