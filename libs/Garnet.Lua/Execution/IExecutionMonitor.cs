// What a host does while a script runs. Called on the thread that runs the state.
namespace Garnet.Lua.Execution;

/// <summary>Is asked at intervals whether a script may continue.</summary>
internal interface IExecutionMonitor
{
    /// <summary>
    /// Called after about every interval of instructions; ends the script by throwing <see cref="LuaInterruptedException"/>.
    /// </summary>
    void OnInterval(LuaState state);
}
