/** Charts taken out of the window as pictures: PNG, and SVG and PDF in which every line is a line. */
package keelscope.picture;
