// Replies to a client whose command has waited for a task.
namespace Garnet.Modules;

/// <summary>
/// Writes the reply of a command that has waited: exactly one. Called on a thread that serves many clients, so it must not wait; an
/// exception becomes an error reply.
/// </summary>
/// <param name="reply">Receives the reply.</param>
/// <param name="result">The task's result.</param>
/// <typeparam name="T">Type of the result.</typeparam>
public delegate void WaitReply<T>(ref ReplyWriter reply, T result);
