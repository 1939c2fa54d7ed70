// Marks a parameter that clients may leave out. Immutable.
namespace Garnet.Modules;

/// <summary>
/// Makes a parameter an option that follows the required arguments in any order: <c>[Option("COST")] long cost = 1</c> is sent as
/// <c>COST 5</c>, and <c>[Option("NX")] bool ifAbsent = false</c> as <c>NX</c>. Clients may write the keyword in any letter case; an
/// unknown one is a syntax error.
/// </summary>
/// <param name="keyword">The keyword in upper case.</param>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class OptionAttribute(string keyword) : Attribute
{
    /// <summary>The keyword.</summary>
    public string Keyword { get; } = keyword;
}
