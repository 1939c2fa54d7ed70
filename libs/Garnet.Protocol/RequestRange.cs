// Which of a table's arguments make one request. A plain value; no thread owns it.
namespace Garnet.Protocol;

/// <summary>One parsed request: a run of an <see cref="ArgumentTable"/>'s arguments, the command's name first.</summary>
/// <param name="FirstArgument">Index of the name in the table.</param>
/// <param name="ArgumentCount">Number of arguments, the name counted; at least 1.</param>
public readonly record struct RequestRange(int FirstArgument, int ArgumentCount);
