// The arguments of a table that form one request. A plain value, owned by no thread.
namespace Garnet.Protocol;

/// <summary>One parsed request: a run of an <see cref="ArgumentTable"/>'s arguments, the command's name first.</summary>
/// <param name="FirstArgument">Index of the name in the table.</param>
/// <param name="ArgumentCount">Number of arguments including the name; at least 1.</param>
internal readonly record struct RequestRange(int FirstArgument, int ArgumentCount);
