// The end of a login. Immutable.
namespace Garnet.Server.Modules;

/// <summary>A verdict with its text.</summary>
/// <param name="Verdict">The verdict.</param>
/// <param name="Text">The user's name, or the error; empty for the usual one.</param>
internal readonly record struct LoginDecision(LoginVerdict Verdict, string Text);
