// A reference from the server into a module's code. Under the barrier.
namespace Garnet.Server.Modules;

/// <summary>Something of a module that other objects may still refer to after it was unloaded, such as one of its commands.</summary>
internal interface IModuleBinding
{
    /// <summary>Lets go of the module's code; what is called afterwards answers with an error.</summary>
    void Sever();
}
